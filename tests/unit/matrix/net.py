"""Devices of people that know each other, without a server."""

from pathlib import Path
from typing import Any

from bot.matrix.crypto import Device
from bot.matrix.machine import Machine

ROOM = "!r:kanzlei.example"


class Net:
    """Devices that know each other, and what goes between them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.machines: dict[str, Machine] = {}
        self.listed: dict[str, Any] = {}
        self.one_time: dict[str, Any] = {}

    def device(self, person: str) -> Machine:
        """Make a device that everybody knows, or open it again."""
        folder = self.folder / person.strip("@")
        folder.mkdir(exist_ok=True)
        machine = Machine(person, f"D{person[1:4]}", folder)
        keys = machine.keys_to_upload()
        if keys is not None:
            machine.uploaded({"signed_curve25519": 50})
            self.listed[person], self.one_time[person] = keys["device_keys"], list(keys["one_time_keys"].items())
        self.machines[person] = machine
        for one in self.machines.values():
            for name, listed in self.listed.items():
                one.learn(name, {listed["device_id"]: listed})
        return machine

    def share(self, sender: Machine, *readers: Machine) -> None:
        """Give readers a new key for the room."""
        devices = [Device(one.account, one.id, one.ed25519) for one in readers]
        claim = sender.unmet(devices)
        keys = {
            person: {name: dict([self.one_time[person].pop()]) for name in names} for person, names in claim.items()
        }
        sender.met(keys)
        for messages in sender.share(ROOM, devices):
            for person, ones in messages["messages"].items():
                for content in ones.values():
                    event = {"type": "m.room.encrypted", "sender": sender.account, "content": content}
                    self.machines[person].receive([event])
        sender.shared(ROOM)

    def close(self) -> None:
        for machine in self.machines.values():
            machine.close()

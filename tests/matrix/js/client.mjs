// A client that encrypts as Element does (matrix-js-sdk), told by lines of JSON what to do; it answers each with one.
// It trusts only devices that their owners have cross-signed: of others it reads nothing and tells them nothing.
import readline from "node:readline";

import { ClientEvent, createClient, MatrixEventEvent, RoomEvent, SyncState } from "matrix-js-sdk";
import { AllDevicesIsolationMode, EventShieldColour, OnlySignedDevicesIsolationMode } from "matrix-js-sdk/lib/crypto-api/index.js";
import { logger } from "matrix-js-sdk/lib/logger.js";

const SHIELDS = { [EventShieldColour.NONE]: "none", [EventShieldColour.GREY]: "grey", [EventShieldColour.RED]: "red" };
const SPOKEN = new Set(["m.room.message", "m.room.encrypted", "m.reaction", "m.sticker"]);

// The library is written for Node 22; this is all that it lacks in Node 20.
Promise.withResolvers ??= () => {
    const made = {};
    made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
    return made;
};

logger.disableAll();
for (const method of ["debug", "info", "log", "warn", "error"]) console[method] = () => undefined;

let client;
const seen = new Map();
let wake = () => undefined;

function note(event) {
    if (event.getRoomId() && event.getId()?.startsWith("$")) seen.set(event.getId(), event);
    wake();
}

async function until(finds, patience) {
    const deadline = Date.now() + patience * 1000;
    for (;;) {
        const changed = new Promise((resolve) => (wake = resolve));
        const found = await finds();
        if (found) return found;
        const left = deadline - Date.now();
        if (left <= 0) return undefined;
        await Promise.race([changed, new Promise((resolve) => setTimeout(resolve, Math.min(left, 200)).unref())]);
    }
}

async function told(event) {
    const isEncrypted = event.isEncrypted();
    const info = isEncrypted && !event.isDecryptionFailure() ? await client.getCrypto().getEncryptionInfoForEvent(event) : null;
    return {
        event_id: event.getId(),
        room_id: event.getRoomId(),
        sender: event.getSender(),
        type: event.getType(),
        content: event.getOriginalContent(),
        is_encrypted: isEncrypted,
        is_redacted: event.isRedacted(),
        failure: event.isDecryptionFailure() ? event.decryptionFailureReason : null,
        shield: info ? SHIELDS[info.shieldColour] : null,
    };
}

// Keys that take the place of others are taken with the password alone.
function proving(user, password) {
    const identifier = { type: "m.id.user", user };
    return async (send) => {
        try {
            return await send(null);
        } catch (error) {
            if (!error.data?.session) throw error;
            return send({ type: "m.login.password", identifier, password, session: error.data.session });
        }
    };
}

function relation(event) {
    return event.getWireContent()["m.relates_to"] ?? event.getContent()["m.relates_to"] ?? {};
}

function fits(event, { room, sender, thread, msgtype, readable, target, failure }) {
    if (event.getRoomId() !== room || !SPOKEN.has(event.getType())) return false;
    if (sender && event.getSender() !== sender) return false;
    if (thread && !(relation(event).rel_type === "m.thread" && relation(event).event_id === thread)) return false;
    if (target && !(relation(event).rel_type === "m.replace" && relation(event).event_id === target)) return false;
    const isReadable = !event.isEncrypted() || (event.getClearContent() !== null && !event.isDecryptionFailure());
    if (!isReadable && (readable || event.isBeingDecrypted() || !event.isDecryptionFailure())) return false;
    if (failure && event.decryptionFailureReason !== failure) return false;
    return !msgtype || event.getOriginalContent().msgtype === msgtype;
}

const does = {
    async start({ url, user, token, device, password, signed, trusting }) {
        client = createClient({ baseUrl: url, userId: user, accessToken: token, deviceId: device });
        await client.initRustCrypto({ useIndexedDB: false });
        const crypto = client.getCrypto();
        crypto.setDeviceIsolationMode(trusting ? new AllDevicesIsolationMode(false) : new OnlySignedDevicesIsolationMode());
        client.on(ClientEvent.Event, note);
        client.on(RoomEvent.Timeline, note);
        client.on(MatrixEventEvent.Decrypted, note);
        const ready = new Promise((resolve, reject) =>
            client.on(ClientEvent.Sync, (state, _, data) => {
                if (state === SyncState.Prepared) resolve();
                if (state === SyncState.Error) reject(data?.error ?? new Error("no sync"));
            }),
        );
        await client.startClient({ initialSyncLimit: 100, disablePresence: true });
        await ready;
        if (signed) await crypto.bootstrapCrossSigning({ authUploadDeviceSigningKeys: proving(user, password) });
        return { is_signed: await crypto.isCrossSigningReady() };
    },

    async send({ room, type, content, patience }) {
        const isKnown = async () => {
            const known = client.getRoom(room);
            return known?.getMyMembership() === "join" && (type === "m.reaction" || known.hasEncryptionStateEvent());
        };
        if (!(await until(isKnown, patience))) throw new Error(`${room} is no encrypted room of ours`);
        return { event_id: (await client.sendEvent(room, null, type, content)).event_id };
    },

    async wait({ count, patience, ...what }) {
        const found = () => [...seen.values()].filter((event) => fits(event, what));
        await until(async () => found().length >= count, patience);
        return { events: await Promise.all(found().map(told)) };
    },

    async devices({ user, fresh }) {
        const crypto = client.getCrypto();
        const devices = (await crypto.getUserDeviceInfo([user], fresh)).get(user) ?? new Map();
        const states = [...devices.keys()].map(async (id) => {
            const status = await crypto.getDeviceVerificationStatus(user, id);
            return [id, { is_signed: status?.signedByOwner ?? false, is_verified: status?.isVerified() ?? false }];
        });
        const of = await crypto.getUserVerificationStatus(user);
        return { devices: Object.fromEntries(await Promise.all(states)), has_changed: of.needsUserApproval };
    },

    async reread({ room, patience }) {
        const isClosed = (event) => event.getRoomId() === room && event.isDecryptionFailure();
        const again = async () => {
            // Each attempt is an event that wakes us: the keys of others come only where there is a pause.
            await new Promise((resolve) => setTimeout(resolve, 100));
            const closed = [...seen.values()].filter(isClosed);
            await Promise.all(closed.map((event) => event.attemptDecryption(client.getCrypto(), { isRetry: true })));
            return ![...seen.values()].some(isClosed);
        };
        await until(again, patience);
        return {};
    },

    async approve({ user }) {
        await client.getCrypto().pinCurrentUserIdentity(user);
        return {};
    },
};

for await (const line of readline.createInterface({ input: process.stdin })) {
    const { do: name, ...given } = JSON.parse(line);
    let reply;
    try {
        reply = await does[name](given);
    } catch (error) {
        reply = { error: `${error?.stack ?? error}` };
    }
    process.stdout.write(`${JSON.stringify(reply)}\n`);
}
process.exit(0);

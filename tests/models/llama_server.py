"""Serves a small language model; run by the interpreter of ``.parts/llama``, as ``llama.py`` beside it does.

The server is that of llama-cpp-python as it comes. The model is a base model that nobody taught to chat: it goes on
with a text that begins with the sources and two answers to other questions. Left to itself it repeats a word without
end, so the server takes repetition ill and ends a reply early.
"""

import sys
from pathlib import Path
from typing import Any

import llama_cpp
import uvicorn
from llama_cpp.llama_chat_format import hf_tokenizer_config_to_chat_completion_handler
from llama_cpp.server.app import create_app
from llama_cpp.server.settings import ModelSettings, ServerSettings

REPETITION = 1.2
LONGEST_REPLY = 300
"""Tokens; two sentences of law with the signs around them have 100."""

LONGEST_PROMPT = 12_288


class Patient(llama_cpp.Llama):
    """The model with what its server adds to each request."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        template = Path(__file__).with_name("base_model.jinja").read_text(encoding="utf-8")
        config = {"chat_template": template, "bos_token": "<bos>", "eos_token": "<eos>"}
        self.written: dict[Any, Any] = {}
        self.chat_handler = hf_tokenizer_config_to_chat_completion_handler(config, add_generation_prompt=False)

    def create_chat_completion(self, *arguments: Any, **asked: Any) -> Any:
        """Answer as always, but without repetitions, and not for ever."""
        asked["repeat_penalty"] = REPETITION
        asked["max_tokens"] = min(asked.get("max_tokens") or LONGEST_REPLY, LONGEST_REPLY)
        return super().create_chat_completion(*arguments, **asked)

    def create_completion(self, prompt: Any, **asked: Any) -> Any:
        """Write from an empty memory, so that what was asked before changes no digit; the same prompt only once."""
        key = (tuple(prompt), asked.get("grammar") is None)
        if key not in self.written:
            self.reset()
            self.written[key] = super().create_completion(prompt, **asked)
        return self.written[key]


def main(model: str, port: int) -> None:
    llama_cpp.Llama = Patient
    served = ModelSettings(
        model=model,
        model_alias="small",
        n_ctx=LONGEST_PROMPT,
        n_threads=1,
        n_threads_batch=1,
        seed=1,
        verbose=False,
        use_mlock=False,
    )
    app = create_app(server_settings=ServerSettings(host="127.0.0.1", port=port), model_settings=[served])
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))

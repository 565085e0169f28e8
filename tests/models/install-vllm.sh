#!/usr/bin/env bash
# Installs vLLM for the processor into an environment of its own (first argument; default .parts/vllm), made by the
# interpreter that PYTHON names: 5.8 GB, which takes 15 s with uv and a fast connection. Its wheel names requirements
# that exist on no package index (torch with a local version) or that only audio and images need, so the locked list in
# requirements/vllm.txt stands in their place, and a second name under which vLLM looks for its own version.
set -euo pipefail
cd "$(dirname "$0")/../.."
target=${1:-.parts/vllm}
python=${PYTHON:?name the interpreter for the environment, for example PYTHON=python3}
ready=$target/.ready-$(cksum < requirements/vllm.txt | cut -d' ' -f1)
test -e "$ready" && exit
if command -v uv > /dev/null; then
    uv venv --quiet --clear --python "$python" "$target"
    uv pip install --quiet --python "$target/bin/python" --no-deps --require-hashes -r requirements/vllm.txt
else
    "$python" -m venv --clear "$target"
    "$target/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements/vllm.txt
fi
packages=$("$target/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
mkdir -p "$packages/vllm-0.32.0+cpu.dist-info"
printf 'Metadata-Version: 2.1\nName: vllm\nVersion: 0.32.0+cpu\n' > "$packages/vllm-0.32.0+cpu.dist-info/METADATA"
touch "$ready"

#!/bin/sh
# The program in the image, with the configuration that docker-compose.yml puts there; without one, with the data folder's.
set -eu
export PYTHONPATH=/opt/program
if [ -e /etc/fundstelle/config.toml ]; then
    set -- --config /etc/fundstelle/config.toml "$@"
fi
exec /opt/fundstelle/bin/python -m bot "$@"

#!/usr/bin/env bash
# Makes the secrets of docker-compose.yml in secrets/ (or in the folder that is named), each only where it is missing:
# random passwords, an authority of your own, and certificates signed by it for OpenSearch, Synapse and vLLM.
# All of it belongs to user 1000, which the containers run as; run by another user, this has to be root.
set -euo pipefail
umask 077
user=1000
days=825
target=${1:-$(dirname "$0")/../../secrets}

if [ "$(id -u)" != 0 ] && [ "$(id -u)" != "$user" ]; then
    echo "The containers run as user $user, who has to own the secrets. Run this as that user or as root." >&2
    exit 1
fi
mkdir -p "$target"
cd "$target"

# random NAME BYTES [PREFIX]
random() {
    [ -e "$1" ] || printf '%s%s\n' "${3:-}" "$(openssl rand -hex "$2")" > "$1"
}

key() {
    openssl genpkey -quiet -algorithm RSA -pkeyopt rsa_keygen_bits:3072 -out "$1"
}

# certificate HOST
certificate() {
    [ -e "$1.pem" ] && return
    key "$1.key.pem"
    openssl req -new -key "$1.key.pem" -subj "/CN=$1" -out "$1.request"
    openssl x509 -req -in "$1.request" -CA authority.pem -CAkey authority.key.pem -days "$days" -sha256 \
        -extfile <(printf '%s\n' basicConstraints=critical,CA:FALSE keyUsage=critical,digitalSignature,keyEncipherment \
            extendedKeyUsage=serverAuth subjectKeyIdentifier=hash authorityKeyIdentifier=keyid \
            "subjectAltName=DNS:$1,DNS:localhost,IP:127.0.0.1") -out "$1.pem" 2> /dev/null
    rm "$1.request"
}

random postgres.password 24
# OpenSearch asks for upper and lower case, a digit and a sign.
random opensearch.password 24 'Fs1-'
random vllm.key 32
random matrix.password 24
random synapse.registration 32

if [ ! -e authority.pem ]; then
    key authority.key.pem
    openssl req -x509 -new -key authority.key.pem -subj "/CN=Fundstelle stack" -days "$days" -sha256 -out authority.pem \
        -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign
fi
certificate opensearch
certificate synapse
certificate vllm

if [ "$(id -u)" = 0 ]; then
    chown -R "$user:$user" .
fi

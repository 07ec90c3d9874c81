#!/bin/sh
# Really builds the image, without a container engine: buildah on a base bootstrapped from the
# system's own packages, with this machine's Node for the pages. Needs root, buildah, debootstrap.
set -eu
cd "$(dirname "$0")/.."
if [ "$(id -u)" -ne 0 ]; then
    echo "make image needs root: debootstrap makes device files." >&2
    exit 1
fi
for program in buildah debootstrap; do
    command -v "$program" >/dev/null || {
        echo "make image needs $program: install the system's package $program." >&2
        exit 1
    }
done

base=localhost/kb-agent-base
if ! buildah inspect "$base" >/dev/null 2>&1; then
    root=$(mktemp -d)
    mirror=$(apt-get indextargets --format '$(REPO_URI)' | head -n 1)
    debootstrap --variant=minbase --include=python3,python3-venv,ca-certificates bookworm "$root" "$mirror"
    # The base reaches packages the way this machine does.
    rm -f "$root/etc/apt/sources.list"
    cp -a /etc/apt/. "$root/etc/apt/"
    certificates=/etc/ssl/certs/of-this-machine.crt
    cp /etc/ssl/certs/ca-certificates.crt "$root$certificates"
    [ ! -f "$HOME/.npmrc" ] || cp "$HOME/.npmrc" "$root/root/.npmrc"
    [ ! -f /etc/pip.conf ] || cp /etc/pip.conf "$root/etc/pip.conf"
    cp "$(readlink -f "$(command -v node)")" "$root/usr/local/bin/node"
    mkdir -p "$root/usr/local/lib/node_modules"
    cp -a "$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")" "$root/usr/local/lib/node_modules/"
    ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
    container=$(buildah from scratch)
    buildah config --env "NODE_EXTRA_CA_CERTS=$certificates" --env "PIP_CERT=$certificates" "$container"
    buildah add --quiet "$container" "$root" / >/dev/null
    buildah commit --quiet --rm "$container" "$base"
    rm -rf "$root"
fi

buildah bud --isolation chroot --pull-never --format docker \
    --build-arg "BASE=$base" --build-arg "NODE_BASE=$base" --tag kb-agent .

# The programs start in it, as its own user, with nothing but what the image installed.
container=$(buildah from --pull-never kb-agent)
trap 'buildah rm "$container" >/dev/null' EXIT
inside() {
    buildah run --isolation chroot --user 10001 --env DATABASE_URL=postgres://nobody@127.0.0.1:1/none \
        --env REDIS_URL=redis://127.0.0.1:1/0 "$container" -- "$@"
}
inside /venv/bin/python manage.py check
inside /venv/bin/python -m celery -A kb_agent.celery:app report | grep transport
inside /venv/bin/python -m kb_agent.launcher --help >/dev/null

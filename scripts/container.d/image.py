#!/usr/bin/env python3
"""An image of a folder, as `docker load` and `podman load` read it: image.py CONTAINERFILE ROOT NAME SECONDS >ARCHIVE.

Its bytes depend on the arguments alone. Of the recipe it reads the lines FROM scratch, COPY root/ /, USER, ENV, VOLUME,
ENTRYPOINT and CMD.
"""
import datetime
import hashlib
import io
import json
import os
import pathlib
import platform
import sys
import tarfile


def config(recipe):
    out = {"Env": []}
    for line in recipe.splitlines():
        word, _, rest = line.partition(" ")
        if not line or word == "#" or line in ("FROM scratch", "COPY root/ /"):
            continue
        if word == "USER":
            out["User"] = rest
        elif word == "ENV":
            out["Env"] += rest.split()
        elif word == "VOLUME":
            out["Volumes"] = {path: {} for path in json.loads(rest)}
        elif word in ("ENTRYPOINT", "CMD"):
            out[word.capitalize()] = json.loads(rest)
        else:
            sys.exit(f"image.py: not understood: {line}")
    return out


def member(name, seconds, data=None, mode=0o644, owner=0):
    info = tarfile.TarInfo(name)
    info.mtime, info.mode, info.uid, info.gid = seconds, mode, owner, owner
    info.size = len(data or b"")
    info.type = tarfile.REGTYPE if data is not None else tarfile.DIRTYPE
    return info, data


def archive(members):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for info, data in members:
            tar.addfile(info, io.BytesIO(data) if data is not None else None)
    return out.getvalue()


def layer(root, seconds):
    for path in sorted(root.rglob("*")):
        name, mode = str(path.relative_to(root)), path.stat().st_mode & 0o777
        if path.is_dir():
            # The folders of the user are the user's.
            yield member(name, seconds, mode=mode, owner=65532 if mode == 0o700 else 0)
        else:
            yield member(name, seconds, path.read_bytes(), mode)


def main(recipe, root, name, seconds):
    seconds = int(seconds)
    blob = archive(layer(pathlib.Path(root), seconds))
    image = json.dumps({
        "architecture": {"x86_64": "amd64", "aarch64": "arm64"}[platform.machine()], "os": "linux",
        "created": datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).isoformat().replace("+00:00", "Z"),
        "config": config(pathlib.Path(recipe).read_text()),
        "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(blob).hexdigest()]},
    }, sort_keys=True).encode()
    file = hashlib.sha256(image).hexdigest() + ".json"
    manifest = json.dumps([{"Config": file, "RepoTags": [name], "Layers": ["layer.tar"]}]).encode()
    files = [(file, image), ("layer.tar", blob), ("manifest.json", manifest)]
    with os.fdopen(sys.stdout.fileno(), "wb") as out:
        out.write(archive(member(name, seconds, data) for name, data in files))


main(*sys.argv[1:])

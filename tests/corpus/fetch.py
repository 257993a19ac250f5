# SPDX-License-Identifier: Apache-2.0
"""Fetches the meshes of meshes.txt into a folder; what is there already is not fetched again."""
import base64
import gzip
import pathlib
import shutil
import subprocess
import tarfile

HERE = pathlib.Path(__file__).resolve().parent


def entries():
    for line in (HERE / "meshes.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            name, package, path, unit = line.split()
            yield name, package, path, unit


def fetch_package(package, folder):
    """Unpacks a Debian or npm package without installing it; returns where it is."""
    kind, name = package.split(":", 1)
    place = folder / package.replace("/", "-").replace(":", "-").replace("@", "")
    if place.exists():
        return place
    print(f"fetching {package}", flush=True)
    partial = place.with_suffix(".partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    if kind == "deb":
        if subprocess.run(["apt-get", "download", name], cwd=partial, capture_output=True).returncode != 0:
            subprocess.run(["apt-get", "update"], check=True, capture_output=True)
            subprocess.run(["apt-get", "download", name], cwd=partial, check=True)
        subprocess.run(["dpkg-deb", "-x", next(partial.glob("*.deb")), partial], check=True)
    else:
        subprocess.run(["npm", "pack", "--silent", name], cwd=partial, check=True, stdout=subprocess.DEVNULL)
        with tarfile.open(next(partial.glob("*.tgz"))) as archive:
            archive.extractall(partial)
    partial.rename(place)
    return place


def write_obj(module, out):
    """A CommonJS module with positions and cells, as an OBJ file."""
    script = ("const m = require(process.argv[1]), w = [];"
              "const p = Array.from(m.positions).flat(), c = Array.from(m.cells).flat();"
              "for (let i = 0; i < p.length; i += 3) w.push(`v ${p[i]} ${p[i+1]} ${p[i+2]}`);"
              "for (let i = 0; i < c.length; i += 3) w.push(`f ${c[i]+1} ${c[i+1]+1} ${c[i+2]+1}`);"
              "require('fs').writeFileSync(process.argv[2], w.join('\\n') + '\\n');")
    subprocess.run(["node", "-e", script, module, out], check=True)


def fetch_mesh(name, package, path, folder):
    """The mesh file, under its own name where other files belong to it, else as NAME.EXTENSION."""
    place = fetch_package(package, folder)
    if "!" in path:
        archive, inner = path.split("!")
        source = place / inner
        if not source.exists():
            with tarfile.open(place / archive) as packed:
                packed.extract(inner, place)
        path = inner
    source = place / path
    if source.suffix == ".gltf":
        return source
    meshes = folder / "meshes"
    meshes.mkdir(parents=True, exist_ok=True)
    if path.endswith(".glb.js"):
        out = meshes / f"{name}.glb"
        text = source.read_text().split("base64,", 1)[1]
        out.write_bytes(base64.b64decode(text[:text.index("'")]))
    elif source.suffix == ".js":
        out = meshes / f"{name}.obj"
        write_obj(source, out)
    elif source.suffix == ".gz":
        out = meshes / f"{name}{source.with_suffix('').suffix}"
        out.write_bytes(gzip.decompress(source.read_bytes()))
    elif source.suffix == ".obj":
        return source  # its materials are beside it
    else:
        out = meshes / f"{name}{source.suffix}"
        shutil.copyfile(source, out)
    return out

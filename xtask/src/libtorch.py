# Lays out the parts of libtorch that a build against it needs: lay_out.py WHEELS TARGET VERSION
import hashlib, json, os, sys, zipfile

wheels, target, version = sys.argv[1:]
LIBRARIES = {
    "torch/lib/libtorch_cpu.so", "torch/lib/libc10.so", "torch/lib/libgomp.so.1",
    "nvidia/cu13/lib/libcudart.so.13", "nvidia/cu13/lib/libcupti.so.13",
}
missing = set(LIBRARIES)
records = []

def keep(path, data):
    full = os.path.join(target, path)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    digest, size = hashlib.sha256(), 0
    with open(full, "wb") as out:
        while chunk := data.read(1 << 20):
            out.write(chunk)
            digest.update(chunk)
            size += len(chunk)
    records.append({"path": path, "bytes": size, "sha256": digest.hexdigest()})

for wheel in sorted(os.listdir(wheels)):
    with zipfile.ZipFile(os.path.join(wheels, wheel)) as archive:
        for member in archive.infolist():
            name = member.filename
            if member.is_dir() or ".." in name.split("/"):
                continue
            path = None
            if name in LIBRARIES:
                missing.discard(name)
                path = "lib/" + name.rsplit("/", 1)[1]
            elif name.startswith("torch/include/"):
                path = name[len("torch/"):]
            elif ".dist-info/licenses/" in name:
                package, licence = name.split(".dist-info/licenses/", 1)
                path = "licenses/" + package + "/" + licence
            if path:
                with archive.open(member) as data:
                    keep(path, data)
if missing:
    sys.exit("the wheels lack " + ", ".join(sorted(missing)))
with open(os.path.join(target, "build-version"), "w") as out:
    out.write(version + "\n")
# The real libtorch.so pulls CUDA in; torch-sys only asks for a library of that name.
os.symlink("libtorch_cpu.so", os.path.join(target, "lib", "libtorch.so"))
with open(os.path.join(target, "manifest.json"), "w") as out:
    json.dump(records, out)

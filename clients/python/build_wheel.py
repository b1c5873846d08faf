"""Makes the wheel (PEP 517) from the standard library alone: an install needs no other package and no network."""

import base64
import hashlib
import os
import re
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = "standing"
# A wheel of the same sources is the same file: no time of the build in it.
DATE = (2026, 1, 1, 0, 0, 0)


def _project(name):
    with open(os.path.join(HERE, "pyproject.toml"), encoding="utf-8") as file:
        return re.search(rf'^{name} = "(.*)"$', file.read(), re.M).group(1)


def _files():
    folder = os.path.join(HERE, PACKAGE)
    for name in sorted(os.listdir(folder)):
        if name.endswith((".py", ".typed")):
            with open(os.path.join(folder, name), "rb") as file:
                yield f"{PACKAGE}/{name}", file.read()
    with open(os.path.join(HERE, "README.md"), encoding="utf-8") as file:
        readme = file.read()
    version = _project("version")
    info = f"{PACKAGE}-{version}.dist-info"
    yield f"{info}/METADATA", (
        f"Metadata-Version: 2.1\nName: {PACKAGE}\nVersion: {version}\nSummary: {_project('description')}\n"
        f"License: MIT\nRequires-Python: {_project('requires-python')}\n"
        f"Description-Content-Type: text/markdown\n\n{readme}"
    ).encode()
    yield f"{info}/WHEEL", b"Wheel-Version: 1.0\nGenerator: standing\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """The name of the wheel that was written into the directory."""
    version = _project("version")
    name = f"{PACKAGE}-{version}-py3-none-any.whl"
    record = []
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in _files():
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{path},sha256={digest},{len(content)}\n")
            wheel.writestr(zipfile.ZipInfo(path, DATE), content)
        path = f"{PACKAGE}-{version}.dist-info/RECORD"
        wheel.writestr(zipfile.ZipInfo(path, DATE), "".join([*record, f"{path},,\n"]))
    return name

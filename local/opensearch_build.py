"""Build an OpenSearch node from its published Maven artifacts: no Docker, no distribution.

    HOME/2.19.1/lib modules plugins bin extensions     the same for every node, never written to

The artifacts lack what a distribution adds; the modules' descriptors and policies are written
here. About a minute with an empty Maven cache.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import zipfile
from pathlib import Path

VERSION = "2.19.1"
MODULES = {  # folder: (artifact, plugin class)
    "transport-netty4": ("transport-netty4-client", "org.opensearch.transport.Netty4Plugin"),
    "analysis-common": ("analysis-common", "org.opensearch.analysis.common.CommonAnalysisPlugin"),
    "lang-painless": ("lang-painless", "org.opensearch.painless.PainlessPlugin"),
}
PLUGINS = ("opensearch-knn",)
CORE = (
    ("org.opensearch", "opensearch", VERSION),
    ("org.opensearch", "opensearch-plugin-classloader", VERSION),
    ("org.apache.logging.log4j", "log4j-core", "2.21.0"),
)
POM = """<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>local</groupId><artifactId>node</artifactId><version>1</version>
<dependencies>{}</dependencies></project>"""
DEPENDENCY = """<dependency><groupId>{}</groupId><artifactId>{}</artifactId>
<version>{}</version></dependency>"""
DESCRIPTOR = f"""description={{name}}
version={VERSION}
opensearch.version={VERSION}
java.version=11
name={{name}}
classname={{plugin}}
extended.plugins=
has.native.controller=false
"""
POLICY = "grant {\n  permission java.security.AllPermission;\n};\n"


class CannotRun(Exception):
    """The node cannot be built or started; the message says why."""


def default_home() -> Path:
    """Return the user's cache folder; root's is one that the node's account can enter."""
    if os.geteuid() == 0:
        return Path("/var/cache/muniment/opensearch")
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "muniment" / "opensearch"


def is_built(home: Path) -> bool:
    return (home / VERSION).is_dir()  # renamed only when complete


def build(home: Path | None = None) -> Path:
    """Build the node of VERSION under `home` unless it is there. Raises CannotRun."""
    home = (home or default_home()).resolve()
    if is_built(home):
        return home / VERSION
    draft = home / f"draft-{os.getpid()}"
    shutil.rmtree(draft, ignore_errors=True)
    try:
        _fill(draft)
        shutil.rmtree(draft / "work")
        if not is_built(home):  # another process may have been faster
            draft.rename(home / VERSION)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return home / VERSION


def _fill(draft: Path) -> None:
    lib, work = draft / "lib", draft / "work"
    _copy_jars(work / "core", lib, *CORE)
    for name, (artifact, plugin) in MODULES.items():
        folder = draft / "modules" / name
        _copy_jars(work / name, folder, ("org.opensearch.plugin", artifact, VERSION))
        for jar in folder.iterdir():
            if (lib / jar.name).exists():
                jar.unlink()  # a class must not come from two loaders
        descriptor = DESCRIPTOR.format(name=name, plugin=plugin)
        (folder / "plugin-descriptor.properties").write_text(descriptor)
        (folder / "plugin-security.policy").write_text(POLICY)
    for name in PLUGINS:
        _unpack_plugin(work, name, draft / "plugins" / name)
    for name in ("bin", "extensions"):  # the node would create them, in a folder not its own
        (draft / name).mkdir()


def _copy_jars(work: Path, out: Path, *artifacts: tuple[str, str, str]) -> None:
    work.mkdir(parents=True)
    dependencies = "".join(DEPENDENCY.format(*artifact) for artifact in artifacts)
    (work / "pom.xml").write_text(POM.format(dependencies))
    _maven(work, "dependency:copy-dependencies", out, "-DincludeScope=runtime")


def _unpack_plugin(work: Path, name: str, folder: Path) -> None:
    out = work / f"zip-{name}"
    artifact = f"org.opensearch.plugin:{name}:{VERSION}.0:zip"
    _maven(work / "core", "dependency:copy", out, f"-Dartifact={artifact}")
    with zipfile.ZipFile(next(out.glob("*.zip"))) as archive:
        archive.extractall(folder)


def _maven(work: Path, goal: str, out: Path, *options: str) -> None:
    command = ["mvn", "-q", "-B", goal, f"-DoutputDirectory={out}", *options]
    try:
        subprocess.run(command, cwd=work, check=True, capture_output=True, text=True)
    except FileNotFoundError:
        raise CannotRun("no Maven (mvn) to build the node with") from None
    except subprocess.CalledProcessError as error:
        raise CannotRun(f"Maven failed: {(error.stdout + error.stderr)[-2000:]}") from error

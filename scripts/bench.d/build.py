"""From a clone to the first scan: what building the tool costs, module by module."""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

EPILOG = """
Each revision is cloned into a folder of its own, with the dependencies that were fetched for this checkout, and
`scripts/run --version` builds it there as for a user: the tool alone, and without optimization since scripts/run has
--optimized. SwiftPM is told to use another compiler (SWIFT_EXEC, CC), which runs the real one and notes its time:
bench.d/timed-compiler. CPU is user + system of it and of its children; wall is the sum of its runs, some of which are
at the same time, so that a module may have more than the whole build. SwiftPM is the rest: its planning, the
manifests, and the questions that it has for the compiler. The CPU depends far less than the wall on what else the
machine does; but compare revisions of one run.

examples:
  scripts/bench build
  scripts/bench build --optimized --at d79eeb6f,HEAD   both, one after the other, and their ratios
"""


@dataclass
class Cost:
    """The time for a module, in seconds."""

    wall: float = 0
    cpu: float = 0


@dataclass
class Build:
    """One build, from nothing to the tool."""

    revision: str
    wall: float
    cpu: float
    modules: dict[str, Cost]
    packages: dict[str, str]

    def package_costs(self) -> dict[str, Cost]:
        costs: dict[str, Cost] = defaultdict(Cost)
        for module, cost in self.modules.items():
            package = costs[self.packages[module]]
            package.wall += cost.wall
            package.cpu += cost.cpu
        return costs


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="scripts/bench build", description=__doc__, epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--at", type=lambda text: text.split(","), metavar="REVISION,…", default=["HEAD"],
                        help="commits of this repository (default HEAD)")
    parser.add_argument("--optimized", action="store_true", help="build with optimization, by scripts/run --optimized")
    parser.add_argument("--json", type=Path, metavar="FILE", help="all figures")
    return parser.parse_args()


def git(*words: str | Path) -> str:
    return subprocess.run(["git", *words], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def clone(revision: str, place: Path) -> None:
    """Makes a checkout of a revision with all dependencies, so that the build fetches nothing."""
    git("clone", "--quiet", "--shared", "--no-checkout", ROOT, place)
    git("-C", place, "checkout", "--quiet", "--detach", git("-C", ROOT, "rev-parse", revision))
    for scratch in [place / ".build", place / ".build/quick"]:
        scratch.mkdir()
        for name in ["checkouts", "repositories", "artifacts", "workspace-state.json"]:
            if (source := ROOT / ".build" / name).is_dir():
                shutil.copytree(source, scratch / name, symlinks=True)
            elif source.exists():
                shutil.copy2(source, scratch / name)
        resolve = ["swift", "package", "--scratch-path", scratch, "resolve"]
        subprocess.run(resolve, cwd=place, check=True, stdout=sys.stderr)


def package_of(module: str, place: Path) -> str:
    """Returns the name of the package that has a module."""
    name = module.removesuffix(" (link)")
    own = (place / "Sources" / name).is_dir() or f'name: "{name}"' in (place / "Package.swift").read_text()
    if module != name or own:
        return "clawradar"
    checkouts = place / ".build/checkouts"
    for pattern in [f"*/Sources/{name}", f"*/{name}"]:
        for folder in checkouts.glob(pattern):
            return folder.relative_to(checkouts).parts[0]
    for manifest in sorted(checkouts.glob("*/Package.swift")):
        if re.search(rf'arget\(\s*(kind: \.\w+,\s*)?name: "{name}"', manifest.read_text()):
            return manifest.parent.name
    return "?"


def build(revision: str, optimized: bool) -> Build:
    with tempfile.TemporaryDirectory() as folder:
        place, log, bin = Path(folder, "clawradar"), Path(folder, "log"), Path(folder, "bin")
        clone(revision, place)
        log.touch()
        bin.mkdir()
        for compiler in ["swiftc", "clang"]:
            (bin / compiler).symlink_to(Path(__file__).with_name("timed-compiler"))
        swift = shutil.which("swift")
        assert swift, "there is no swift on PATH"
        environment = {
            **os.environ, "SWIFT_EXEC": str(bin / "swiftc"), "CC": str(bin / "clang"), "CLAWRADAR_BUILD_LOG": str(log),
            "CLAWRADAR_BUILD_TOOLCHAIN": str(Path(swift).resolve().parent),
        }
        say(f"building {revision}")
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        # A revision that has no such option builds with optimization.
        words = ["--optimized"] if optimized and "--optimized" in (place / "scripts/run").read_text() else []
        subprocess.run([place / "scripts/run", *words, "--version"], env=environment, check=True, stdout=sys.stderr)
        wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        modules: dict[str, Cost] = defaultdict(Cost)
        for line in log.read_text().splitlines():
            module, elapsed, user, system = line.split("\t")
            modules[module].wall += float(elapsed)
            modules[module].cpu += float(user) + float(system)
        modules.pop("-", None)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        modules["SwiftPM"] = Cost(0, cpu - sum(cost.cpu for cost in modules.values()))
        packages = {module: package_of(module, place) for module in modules}
        packages["SwiftPM"] = "SwiftPM"
        return Build(revision, wall, cpu, dict(modules), packages)


def say(text: str) -> None:
    print(f"bench: {text}", file=sys.stderr, flush=True)


def table(build: Build) -> str:
    lines = [f"{build.revision}: {build.wall:.0f} s, {build.cpu:.0f} s of CPU",
             f"{'package and module':40}{'wall s':>9}{'CPU s':>9}{'share':>8}"]

    def add(name: str, cost: Cost) -> None:
        lines.append(f"{name:40}{cost.wall:>9.1f}{cost.cpu:>9.1f}{cost.cpu / build.cpu:>8.1%}")

    def by_cpu(costs: dict[str, Cost]) -> list[tuple[str, Cost]]:
        return sorted(costs.items(), key=lambda entry: -entry[1].cpu)

    for package, cost in by_cpu(build.package_costs()):
        add(package, cost)
        of_package = {name: cost for name, cost in build.modules.items() if build.packages[name] == package}
        if list(of_package) != [package]:
            for module, part in by_cpu(of_package):
                add(f"  {module}", part)
    return "\n".join(lines)


def ratios(builds: list[Build]) -> str:
    first = builds[0]
    lines = [f"CPU to that of {first.revision}".ljust(40) + "".join(build.revision[:12].rjust(14) for build in builds[1:])]
    rows = {"all": [build.cpu / first.cpu for build in builds[1:]]}
    for package, cost in sorted(first.package_costs().items(), key=lambda entry: -entry[1].cpu):
        rows[package] = [build.package_costs()[package].cpu / cost.cpu for build in builds[1:]]
    lines += [name.ljust(40) + "".join(f"{value:14.2f}" for value in values) for name, values in rows.items()]
    return "\n".join(lines)


def main() -> None:
    options = parse_arguments()
    say(f"load before: {os.getloadavg()[0]:.2f} on {os.cpu_count()} CPUs")
    builds = []
    for revision in options.at:
        builds.append(build(revision, options.optimized))
        print(table(builds[-1]) + "\n", flush=True)
    if len(builds) > 1:
        print(ratios(builds))
    say(f"load after: {os.getloadavg()[0]:.2f}")
    if options.json:
        options.json.write_text(json.dumps([asdict(build) for build in builds], indent=1))


if __name__ == "__main__":
    main()

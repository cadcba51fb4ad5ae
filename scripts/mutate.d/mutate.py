"""Counts the small faults of the state machines that the unit tests find."""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / ".build" / "mutate"
TREE = WORK / "tree"
BUILD = WORK / "build"

# Of each state machine: its files, and the tests of its own room, the quick ones first. A test run is a pair of regular
# expressions: those that are run, and those of them that are not.
ROOMS = {
    "Merging": (["Sources/Discovery/Merging"], [("DiscoveryTests", None)]),
    "BotMap": (
        ["Sources/Constellation/Map", "Sources/Constellation/Merging", "Sources/Constellation/Gateways",
         "Sources/Constellation/Bots"],
        [("ConstellationTests", None)],
    ),
    "ScanState": (
        ["Sources/Scanning/Schedule", "Sources/Scanning/Budget"],
        [("ScanningTests", "everyStoryEndsWell"), ("ScanningTests.StoryTests", None)],
    ),
    "Querier": (["Sources/MulticastDNS/Querier", "Sources/MulticastDNS/Cache"],
                [("MulticastDNSTests", "mutatedPackets|UDPSocket|Responder")]),
    "Responder": (["Sources/MulticastDNS/Responder"],
                  [("MulticastDNSTests", "mutatedPackets|UDPSocket|Querier"), ("MulticastDNSTests", "UDPSocket")]),
    "OneShotQuery": (["Sources/OneShotQuery/Query"], [("OneShotQueryTests", None)]),
}

# In each room that has mutants: which of them is on, and which were ever come by.
SWITCH = '''
#if canImport(Glibc)
internal import Glibc
#endif

private let chosen = getenv("CLAWRADAR_MUTANT").flatMap { Int(String(cString: $0)) }

/// One byte for each mutant, written by any thread; it only ever becomes one.
nonisolated(unsafe) private let met: UnsafeMutablePointer<UInt8>? = {
    guard getenv("CLAWRADAR_MUTANTS_MET") != nil else { return nil }
    atexit {
        guard let met, let name = getenv("CLAWRADAR_MUTANTS_MET"),
            let file = fopen(String(cString: name) + ".%(module)s", "w")
        else { return }
        for number in 0..<%(room)d where met[number] != 0 { fputs("\\(number)\\n", file) }
        fclose(file)
    }
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: %(room)d)
    bytes.initialize(repeating: 0, count: %(room)d)
    return bytes
}()

func mutantIsOn(_ number: Int) -> Bool {
    met?[number] = 1
    return number == chosen
}
'''
CAPACITY = 200_000


def say(text):
    print(f"mutate: {text}", file=sys.stderr, flush=True)


def run(command, **options):
    return subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)


SNAPSHOT = WORK / "snapshot"


def files_of(folders):
    files = [file for folder in folders for file in (SNAPSHOT / folder).rglob("*.swift")]
    return sorted(str(file.relative_to(SNAPSHOT)) for file in files)


def take_snapshot():
    """Copies what git knows as it is now: whoever works on meanwhile does not change what is measured."""
    shutil.rmtree(SNAPSHOT, ignore_errors=True)
    names = subprocess.check_output(["git", "ls-files", "-co", "--exclude-standard"], text=True, cwd=ROOT).split("\n")
    for name in filter(None, names):
        if (ROOT / name).is_file():
            (SNAPSHOT / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, SNAPSHOT / name)


def copy_tree():
    """Copies the snapshot; files that have not changed keep their time, so that they are not compiled again."""
    wanted = {str(file.relative_to(SNAPSHOT)) for file in SNAPSHOT.rglob("*") if file.is_file()}
    for name in wanted:
        if name == "Package.swift" and (TREE / name).exists():
            continue
        source, place = SNAPSHOT / name, TREE / name
        place.parent.mkdir(parents=True, exist_ok=True)
        if not place.exists() or place.read_bytes() != source.read_bytes():
            shutil.copy2(source, place)
    for folder in ("Sources", "Tests"):
        for place in list((TREE / folder).rglob("*")):
            if place.is_file() and str(place.relative_to(TREE)) not in wanted:
                place.unlink()


def prune(rooms):
    """Leaves out the targets on which no test of these rooms depends: they need not be compiled."""
    told = json.loads(subprocess.check_output(["swift", "package", "--package-path", str(SNAPSHOT), "--scratch-path",
                                               str(WORK / "manifest"), "dump-package"], text=True))
    needs = {target["name"]: {dependency[kind][0] for dependency in target["dependencies"]
                              for kind in ("target", "byName") if kind in dependency} for target in told["targets"]}
    wanted, waiting = set(), {test_run[0].split(".")[0] for name in rooms for test_run in ROOMS[name][1]}
    while waiting:
        name = waiting.pop()
        wanted.add(name)
        waiting |= needs.get(name, set()) - wanted
    names = ", ".join(f'"{name}"' for name in sorted(wanted & set(needs)))
    text = (SNAPSHOT / "Package.swift").read_text()
    text += f"\nlet pruned: Set = [{names}]\npackage.products = []\n"
    text += "package.targets.removeAll { !pruned.contains($0.name) }\n"
    place = TREE / "Package.swift"
    if place.read_text() != text:
        place.write_text(text)


def build(command, log):
    result = run(command, cwd=TREE)
    (WORK / log).write_text(result.stdout)
    return result


def draw(mutants, sample, seed):
    return random.Random(seed).sample(mutants, sample) if sample and sample < len(mutants) else mutants


def find(binary, rooms, excluded):
    """Writes the mutants but those excluded into the tree. Returns room → list of mutants; their numbers stay the same."""
    copy_tree()
    listing = WORK / "left-out"
    listing.write_text("\n".join(map(str, sorted(excluded))))
    found, number = {}, 1
    for name in rooms:
        files = files_of(ROOMS[name][0])
        if not files:
            raise SystemExit(f"mutate: {name} has no files in {', '.join(ROOMS[name][0])}")
        lines = subprocess.check_output([str(binary), str(listing), str(number), *files], text=True, cwd=TREE)
        found[name] = [line.split("\t", 3) for line in lines.splitlines()]
        number += 20_000
    return found


def mutate(rooms, sample, seed):
    """Compiles mutants of all rooms in, leaving out those that are not Swift. Returns room → list of mutants: all there
    are, and those that were drawn."""
    mutator = WORK / "mutator"
    binary = mutator / "debug/mutator"
    sources = (ROOT / "scripts/mutate.d").rglob("*.swift")
    if not binary.exists() or any(file.stat().st_mtime > binary.stat().st_mtime for file in sources):
        say("building the mutator")
        tool = build(["swift", "build", "--package-path", str(ROOT / "scripts/mutate.d"), "--scratch-path",
                      str(mutator)], "mutator.log")
        if tool.returncode:
            raise SystemExit(f"mutate: the mutator does not build; see {WORK}/mutator.log")
    take_snapshot()
    # While the sources are the same, what was no Swift the last time is none.
    digest = hashlib.sha256()
    for file in [file for name in rooms for file in files_of(ROOMS[name][0])]:
        digest.update((SNAPSHOT / file).read_bytes())
    memory = WORK / f"excluded.{digest.hexdigest()[:16]}"
    wrong = set(map(int, memory.read_text().split())) if memory.exists() else set()
    every = find(binary, rooms, set())
    # Drawn before it is known what is Swift, so that one seed always gives one sample.
    drawn = {name: {int(mutant[0]) for mutant in draw(every[name], sample, seed)} for name in rooms}
    numbers = {int(mutant[0]) for name in rooms for mutant in every[name]}
    for attempt in range(1, 25):
        found = find(binary, rooms, (numbers - set().union(*drawn.values())) | wrong)
        prune(rooms)
        for module in {file.split("/")[1] for name in rooms for file in files_of(ROOMS[name][0])}:
            switch = SWITCH % {"module": module, "room": CAPACITY}
            (TREE / "Sources" / module / "MutantSwitch.swift").write_text(switch)
        say(f"building {sum(map(len, found.values()))} mutants, attempt {attempt}")
        result = build(["swift", "build", "--build-tests", "--scratch-path", str(BUILD), "-Xswiftc",
                        "-no-warnings-as-errors"], "build.log")
        if result.returncode == 0:
            return every, found
        where = {(match[1], int(match[2])) for match in
                 re.finditer(r"(Sources/\S+?\.swift):(\d+):\d+: error", result.stdout)}
        # A complaint may name any line of an expression: all that begins on it or a little above is left out.
        new = {int(mutant[0]) for mutants in found.values() for mutant in mutants
               if any((mutant[1], line) in where for line in range(int(mutant[2]), int(mutant[2]) + 1 + attempt // 2))}
        if not new:
            raise SystemExit(f"mutate: it does not build, and no mutant is why; see {WORK}/build.log")
        wrong |= new
        memory.write_text("\n".join(map(str, sorted(wrong))))
    raise SystemExit(f"mutate: it does not build; see {WORK}/build.log")


class Tests:
    def __init__(self):
        bundles = list((BUILD / "debug").glob("*.xctest"))
        self.binary = str(bundles[0])

    def result(self, test_run, limit, **environment):
        only, never = test_run
        command = [self.binary, "--testing-library", "swift-testing", "--filter", only]
        if never:
            command += ["--skip", never]
        environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no", **environment}
        try:
            status = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment,
                                    timeout=limit, cwd=TREE).returncode
            return "passed" if status == 0 else "failed"
        except subprocess.TimeoutExpired:
            return "timed out"


def measure(name, count, chosen, tests, jobs):
    runs = ROOMS[name][1]
    met = set()
    limits = []
    for index, test_run in enumerate(runs):
        place = WORK / f"met.{name}.{index}"
        began = time.monotonic()
        if tests.result(test_run, 900, CLAWRADAR_MUTANTS_MET=str(place)) != "passed":
            raise SystemExit(f"mutate: the tests {test_run[0]} fail without any mutant")
        limits.append(20 + 6 * (time.monotonic() - began))
        for file in WORK.glob(f"{place.name}.*"):
            met |= set(map(int, file.read_text().split()))
    # What no test comes by needs no run to survive.
    survivors = [mutant for mutant in chosen if int(mutant[0]) not in met]
    unmet = len(survivors)
    tried = [mutant for mutant in chosen if int(mutant[0]) in met]

    def fate(mutant):
        for test_run, limit in zip(runs, limits):
            result = tests.result(test_run, limit, CLAWRADAR_MUTANT=mutant[0])
            if result != "passed":
                return result
        return "passed"

    late = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for done, (mutant, end) in enumerate(zip(tried, pool.map(fate, tried)), 1):
            late += end == "timed out"
            if end == "passed":
                survivors.append(mutant)
            if done % 20 == 0:
                say(f"{name}: {done} of {len(tried)} tried, {len(survivors)} survive")
    killed = len(chosen) - len(survivors)
    print(f"{name}: {killed} of {len(chosen)} killed ({100 * killed / max(1, len(chosen)):.0f} %), {late} of them by the "
          f"time limit; {count} mutants in all; {unmet} were never come by")
    for _, file, line, change in sorted(survivors, key=lambda mutant: (mutant[1], int(mutant[2]))):
        print(f"  {file}:{line}: {change}")
    sys.stdout.flush()
    return killed, len(chosen)


def main():
    parser = argparse.ArgumentParser(
        prog="scripts/mutate",
        description="Compiles small faults (mutants) into the state machines, all at once, switches them on one by one, "
        "and tells which of them no unit test finds. The copy and its build stay in .build/mutate.",
        epilog="examples:\n  scripts/mutate --sample 100             a hundred of each room\n"
        "  scripts/mutate Merging Querier          all of two rooms\n"
        "  scripts/mutate --sample 60 --seed 7 --idle   the same sixty each time, beside other work\n\n"
        f"rooms: {', '.join(ROOMS)}\nexit status: 0; 1 when a room is below --least; 64 for a wrong command line",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help="the rooms; all, if none is named")
    parser.add_argument("--sample", type=int, metavar="N", help="N mutants of each room, drawn by the seed")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30), help="of the sample; printed")
    parser.add_argument("--least", type=float, default=0, metavar="PERCENT", help="what has to be killed of each room")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2, help="test runs at once; all cores")
    parser.add_argument("--idle", action="store_true", help="takes only the time that nobody else wants")
    parser.add_argument("--tree", type=pathlib.Path, metavar="FOLDER", help="a clone that nobody works in: it is "
                        "overwritten, and what has been built there need not be built again")
    parser.add_argument("--built", action="store_true", help="does not build again after a run that was ended")
    options = parser.parse_args()
    rooms = options.rooms or list(ROOMS)
    for name in rooms:
        if name not in ROOMS:
            say(f"unknown room {name}; there are {', '.join(ROOMS)}")
            raise SystemExit(64)
    if options.idle:
        os.nice(19)
        if hasattr(os, "SCHED_IDLE"):
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    if options.tree:
        global TREE, BUILD
        TREE = options.tree.resolve()
        BUILD = TREE / ".build"
    WORK.mkdir(parents=True, exist_ok=True)
    TREE.mkdir(parents=True, exist_ok=True)
    listing = WORK / "mutants"
    if options.built:
        lines = [line.split("\t", 5) for line in listing.read_text().splitlines()]
        counts = {line[0]: int(line[1]) for line in lines}
        found = {name: [line[2:] for line in lines if line[0] == name] for name in rooms}
    else:
        every, found = mutate(rooms, options.sample, options.seed)
        counts = {name: len(every[name]) for name in rooms}
        listing.write_text("".join("\t".join([name, str(counts[name]), *mutant]) + "\n" for name in rooms
                                   for mutant in found[name]))
    if options.sample:
        say(f"the sample's seed is {options.seed}")
    tests = Tests()
    figures = [measure(name, counts[name], found[name], tests, options.jobs) for name in rooms]
    if any(100 * killed < options.least * count for killed, count in figures):
        raise SystemExit(1)


if __name__ == "__main__":
    main()

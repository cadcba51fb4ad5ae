"""Counts the small faults of the state machines that the unit tests find."""

import argparse
import concurrent.futures
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

# Of each state machine: its files, and the tests that hold it, the quick ones first. A test run is a pair of regular
# expressions: those that are run, and those of them that are not.
ROOMS = {
    "Merging": (["Sources/Discovery/Merging"], [("DiscoveryTests", None)]),
    "BotMap": (
        ["Sources/Constellation/Map", "Sources/Constellation/Merging", "Sources/Constellation/Gateways",
         "Sources/Constellation/Bots"],
        [("ConstellationTests", None), ("ScanningTests", "everyStoryEndsWell|ScannerTests|HostInquiryTests")],
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
CAPACITY = 100_000


def say(text):
    print(f"mutate: {text}", file=sys.stderr, flush=True)


def run(command, **options):
    return subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)


def files_of(folders):
    return sorted(str(file.relative_to(ROOT)) for folder in folders for file in (ROOT / folder).rglob("*.swift"))


def copy_tree():
    """Copies what git knows; files that have not changed keep their time, so that they are not compiled again."""
    names = subprocess.check_output(["git", "ls-files", "-co", "--exclude-standard"], text=True, cwd=ROOT).split("\n")
    wanted = set()
    for name in filter(None, names):
        source = ROOT / name
        if not source.is_file():
            continue
        wanted.add(name)
        place = TREE / name
        place.parent.mkdir(parents=True, exist_ok=True)
        if not place.exists() or place.read_bytes() != source.read_bytes():
            shutil.copy2(source, place)
    for place in list(TREE.rglob("*")):
        if place.is_file() and str(place.relative_to(TREE)) not in wanted:
            place.unlink()


def build(command, log):
    result = run(command, cwd=TREE)
    (WORK / log).write_text(result.stdout)
    return result


def mutate(rooms):
    """Compiles the mutants of all rooms in, leaving out those that are not Swift. Returns room → list of mutants."""
    mutator = WORK / "mutator"
    say("building the mutator")
    tool = build(["swift", "build", "--package-path", str(ROOT / "scripts/mutate.d"), "--scratch-path", str(mutator)],
                 "mutator.log")
    if tool.returncode:
        raise SystemExit(f"mutate: the mutator does not build; see {WORK}/mutator.log")
    excluded = set()
    for attempt in range(1, 13):
        copy_tree()
        (WORK / "excluded").write_text("\n".join(map(str, sorted(excluded))))
        found, number = {}, 1
        for name in rooms:
            files = files_of(ROOMS[name][0])
            if not files:
                raise SystemExit(f"mutate: {name} has no files in {', '.join(ROOMS[name][0])}")
            lines = subprocess.check_output(
                [str(mutator / "debug/mutator"), str(WORK / "excluded"), str(number), *files], text=True, cwd=TREE
            ).splitlines()
            found[name] = [line.split("\t", 3) for line in lines]
            number = max([number] + [int(mutant[0]) for mutant in found[name]] + list(excluded)) + 1
        for module in {file.split("/")[1] for name in rooms for file in files_of(ROOMS[name][0])}:
            switch = SWITCH % {"module": module, "room": CAPACITY}
            (TREE / "Sources" / module / "MutantSwitch.swift").write_text(switch)
        say(f"building {sum(map(len, found.values()))} mutants, attempt {attempt}")
        result = build(["swift", "build", "--build-tests", "--scratch-path", str(BUILD), "-Xswiftc",
                        "-no-warnings-as-errors"], "build.log")
        if result.returncode == 0:
            return found
        where = {(match[1], int(match[2])) for match in
                 re.finditer(r"(Sources/\S+?\.swift):(\d+):\d+: error", result.stdout)}
        # A complaint may name any line of an expression: all that begins on it or a little above is left out.
        wrong = {int(mutant[0]) for mutants in found.values() for mutant in mutants
                 if any((mutant[1], line) in where for line in range(int(mutant[2]), int(mutant[2]) + 1 + attempt // 2))}
        if not wrong:
            raise SystemExit(f"mutate: it does not build, and no mutant is why; see {WORK}/build.log")
        excluded |= wrong
    raise SystemExit(f"mutate: it does not build; see {WORK}/build.log")


class Tests:
    def __init__(self):
        bundles = list((BUILD / "debug").glob("*.xctest"))
        self.binary = str(bundles[0])

    def passes(self, test_run, limit, **environment):
        only, never = test_run
        command = [self.binary, "--testing-library", "swift-testing", "--filter", only]
        if never:
            command += ["--skip", never]
        environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no", **environment}
        try:
            return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment,
                                  timeout=limit, cwd=TREE).returncode == 0
        except subprocess.TimeoutExpired:
            return False


def measure(name, mutants, tests, sample, seed, jobs):
    runs = ROOMS[name][1]
    met = set()
    limits = []
    for index, test_run in enumerate(runs):
        place = WORK / f"met.{name}.{index}"
        began = time.monotonic()
        if not tests.passes(test_run, 900, CLAWRADAR_MUTANTS_MET=str(place)):
            raise SystemExit(f"mutate: the tests {test_run[0]} fail without any mutant")
        limits.append(20 + 6 * (time.monotonic() - began))
        for file in WORK.glob(f"{place.name}.*"):
            met |= set(map(int, file.read_text().split()))
    chosen = mutants
    if sample and sample < len(mutants):
        chosen = random.Random(seed).sample(mutants, sample)
    survivors = [mutant for mutant in chosen if int(mutant[0]) not in met]
    unmet = len(survivors)
    tried = [mutant for mutant in chosen if int(mutant[0]) in met]

    def survives(mutant):
        return all(tests.passes(test_run, limit, CLAWRADAR_MUTANT=mutant[0])
                   for test_run, limit in zip(runs, limits))

    done = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for mutant, survived in zip(tried, pool.map(survives, tried)):
            done += 1
            if survived:
                survivors.append(mutant)
            if done % 20 == 0:
                say(f"{name}: {done} of {len(tried)} tried, {len(survivors)} survive")
    killed = len(chosen) - len(survivors)
    print(f"{name}: {killed} of {len(chosen)} killed ({100 * killed / max(1, len(chosen)):.0f} %), "
          f"{len(mutants)} mutants in all; {unmet} were never come by")
    for _, file, line, change in sorted(survivors, key=lambda mutant: (mutant[1], int(mutant[2]))):
        print(f"  {file}:{line}: {change}")
    sys.stdout.flush()
    return killed, len(chosen)


def main():
    parser = argparse.ArgumentParser(
        prog="scripts/mutate",
        description="Compiles small faults (mutants) into the state machines, all at once, switches them on one by one, and "
        "tells which of them no unit test finds. The copy and its build stay in .build/mutate.",
        epilog="examples:\n  scripts/mutate --sample 100             a hundred of each room\n"
        "  scripts/mutate Merging Querier          all of two rooms\n\n"
        f"rooms: {', '.join(ROOMS)}\nexit status: 0; 1 when a room is below --least; 64 for a wrong command line",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help="the rooms; all, if none is named")
    parser.add_argument("--sample", type=int, metavar="N", help="N mutants of each room, drawn by the seed")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30), help="of the sample; printed")
    parser.add_argument("--least", type=float, default=0, metavar="PERCENT", help="what has to be killed of each room")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2, help="test runs at once; all cores")
    parser.add_argument("--built", action="store_true", help="does not build again after a run that was ended")
    options = parser.parse_args()
    rooms = options.rooms or list(ROOMS)
    for name in rooms:
        if name not in ROOMS:
            say(f"unknown room {name}; there are {', '.join(ROOMS)}")
            raise SystemExit(64)
    TREE.mkdir(parents=True, exist_ok=True)
    listing = WORK / "mutants"
    if options.built:
        lines = [line.split("\t", 4) for line in listing.read_text().splitlines()]
        found = {name: [line[1:] for line in lines if line[0] == name] for name in rooms}
    else:
        found = mutate(rooms)
        listing.write_text("".join("\t".join([name, *mutant]) + "\n" for name in rooms for mutant in found[name]))
    if options.sample:
        say(f"the sample's seed is {options.seed}")
    tests = Tests()
    figures = [measure(name, found[name], tests, options.sample, options.seed, options.jobs) for name in rooms]
    if any(100 * killed < options.least * count for killed, count in figures):
        raise SystemExit(1)


if __name__ == "__main__":
    main()

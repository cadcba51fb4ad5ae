"""Puts small faults into the state machines, and counts how many of them the unit tests find."""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / ".build" / "mutate"
TREE = WORK / "tree"
BUILD = WORK / "build"

# The tests are built as scripts/test builds them.
FLAGS = os.environ["CLAWRADAR_TEST_FLAGS"].split()

# The slowest tests for each state machine: most mutants are found without them.
SLOW = {
    "Discovery": "aChangeCostsTheSame|aReaderThatIsAlwaysOneBehind|whatFlapsForAReader|mergedChangesGive|"
    "aSlowReaderArrives|theLimitHolds|anyEventsKeepTheCount|anyOrder",
    "Constellation": "everyReaderArrives|randomEventsKeepIt|itFindsWhatADictionaryFinds|nothingIsLeftOfWhatIsGone",
    "Scanning": "everyStoryEndsWell|FloodTests|ForgeryTests|whatHasStoppedAnswering|sixThatAreRestarted|manyHostsThatAreAsked|"
    "aHostThatIsAskedItself|whatAHostTellsOf",
    "Querier": "refreshesAreAskedDuring|aFloodFrom|whatIsKept|whatIsOurs|flappingLeaves|aForgerDoesNot|answeredRefreshes|"
    "manyQuestionsArePaced|manyKnownAnswers|mutatedPackets",
    "Responder": "mutatedPackets|aFloodOfForged|whoClaimsEveryName|waitingQueries|aHundredServices|SimulatedLinkTests",
    "OneShotQuery": "theQueryDoesWhatItDid|hundred|boundedRounds|manyAnswers|anything|aFloodOfForged|silenceAmong|bounds",
}
QUERIER = (
    r"MulticastDNSTests\.(Question|Sighting|QuerierBookkeeping|QuerierForgetting|HostileLink|QuerierTranscript|DeadlineHeap|"
    r"RecordSlots|InstanceCounts|MulticastDNSEngine)"
)
RESPONDER = (
    r"MulticastDNSTests\.(Conflict|Answering|ResponderHostility|HostName|ResponderLimit|ResponderTranscript|SimulatedLink|"
    r"Legacy|Probing)"
)


def quick_first(tests, slow):
    return [(tests, slow), (rf"({tests}).*({slow})", None)]


# For each state machine ("room"): its files, and the runs of its own tests, the quick ones first. A run is a pair of
# regular expressions: the tests to run, and those among them to skip.
ROOMS = {
    "Merging": (["Sources/Discovery/Merging"], quick_first("DiscoveryTests", SLOW["Discovery"])),
    "BotMap": (
        ["Sources/Scanning/Constellation/Map", "Sources/Scanning/Constellation/Merging", "Sources/Scanning/Constellation/Gateways",
         "Sources/Scanning/Constellation/Bots"],
        quick_first("ConstellationTests", SLOW["Constellation"]),
    ),
    "ScanState": (["Sources/Scanning/Schedule", "Sources/Scanning/Budget"], quick_first("ScanningTests", SLOW["Scanning"])),
    "Querier": (["Sources/Discovery/MulticastDNS/Querier", "Sources/Discovery/MulticastDNS/Cache"], quick_first(QUERIER, SLOW["Querier"])),
    "Responder": (["Sources/Discovery/MulticastDNS/Responder"], quick_first(RESPONDER, SLOW["Responder"])),
    "OneShotQuery": (["Sources/Discovery/OneShotQuery/Query"], quick_first("OneShotQueryTests", SLOW["OneShotQuery"])),
    # What decides where a token goes. Tests that open connections are left out: beside other work they fail by themselves.
    "Trust": (
        ["Sources/GatewayProtocol/Trust", "Sources/Pairing/PairingStore/Trust"],
        [("TrustTests", None), (r"PairingStoreTests\.(NetworkObservation|Place)Tests", None),
         (r"ConstellationTests\.(Parts|PlainImpostor|Proof)Tests", None), (r"ConnectionsTests\.PathChoiceTests", None)],
    ),
    "Paths": (
        ["Sources/Pairing/Connections/Paths"],
        [(r"ConnectionsTests\.(ConnectedPlaces|PathChoice|RowIndex|SessionPath)Tests", None), (r"ConnectionsTests\.ViewsAgreeTests", None)],
    ),
    "SessionMachine": (
        ["Sources/Pairing/Connections/Machine"],
        [(r"ConnectionsTests\.(SessionMachine|SessionMemory|LiveSession|SessionTurns|WaitingDevices)Tests", None),
         (r"ConnectionsTests\.SessionSequenceTests", None)],
    ),
    "PairingMachine": (
        ["Sources/Pairing/Machine"],
        [(r"PairingTests\.(AdvertisedName|PairingConflict|PairingMachine|SecretRule|PairingLink)Tests", None)],
    ),
    "PairedGateways": (
        ["Sources/Pairing/PairedFacts"], [("PairedFactsTests", None), (r"ConnectionsTests\.ViewsAgreeTests", None)],
    ),
    "Notices": (
        ["Sources/Agent/Notices/Rules"],
        [(r"AgentTests\.OccupantTests", None), *quick_first("NoticesTests", "NoticeRulesPropertyTests")],
    ),
}

# The source added to each module that has mutants: which mutant is on, and which ones have been reached.
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
STEP = 20_000
CAPACITY = STEP * (len(ROOMS) + 1)


def say(text):
    print(f"mutate: {text}", file=sys.stderr, flush=True)


def run(command, **options):
    return subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)


SNAPSHOT = WORK / "snapshot"
MUTATED = WORK / "mutated"


def files_of(folders):
    files = [file for folder in folders for file in (SNAPSHOT / folder).rglob("*.swift")]
    return sorted(str(file.relative_to(SNAPSHOT)) for file in files)


def take_snapshot():
    """Copies the working tree's files, except ignored ones, so that later edits do not change what is measured."""
    shutil.rmtree(SNAPSHOT, ignore_errors=True)
    names = subprocess.check_output(["git", "ls-files", "-co", "--exclude-standard"], text=True, cwd=ROOT).split("\n")
    for name in filter(None, names):
        if (ROOT / name).is_file():
            (SNAPSHOT / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, SNAPSHOT / name)


def update_tree():
    """Copies the mutated snapshot. Unchanged files keep their modification time, so they are not compiled again."""
    wanted = {str(file.relative_to(MUTATED)) for file in MUTATED.rglob("*") if file.is_file()}
    for name in wanted:
        if name == "Package.swift" and (TREE / name).exists():
            continue
        source, place = MUTATED / name, TREE / name
        place.parent.mkdir(parents=True, exist_ok=True)
        if not place.exists() or place.read_bytes() != source.read_bytes():
            shutil.copyfile(source, place)
            shutil.copymode(source, place)
    for folder in ("Sources", "Tests"):
        for place in list((TREE / folder).rglob("*")):
            if place.is_file() and str(place.relative_to(TREE)) not in wanted:
                place.unlink()


def prune(rooms):
    """Removes the targets on which no test of these rooms depends, so that they are not compiled."""
    told = json.loads(subprocess.check_output(["swift", "package", "--package-path", str(SNAPSHOT), "--scratch-path",
                                               str(WORK / "manifest"), "dump-package"], text=True))
    needs = {target["name"]: {dependency[kind][0] for dependency in target["dependencies"]
                              for kind in ("target", "byName") if kind in dependency} for target in told["targets"]}
    expressions = [tests for name in rooms for tests, _ in ROOMS[name][1]]
    wanted, waiting = set(), {re.match(r"\(*(\w+)", tests)[1] for tests in expressions}
    while waiting:
        name = waiting.pop()
        wanted.add(name)
        waiting |= needs.get(name, set()) - wanted
    names = ", ".join(f'"{name}"' for name in sorted(wanted & set(needs)))
    # The compiler warns of some mutants, such as code that is never reached.
    text, isError = (SNAPSHOT / "Package.swift").read_text(), ".treatAllWarnings(as: .error)"
    assert isError in text, f"Package.swift does not say {isError}"
    text = text.replace(isError, ".treatAllWarnings(as: .warning)")
    text += f"\nlet pruned: Set = [{names}]\npackage.products = []\n"
    text += "package.targets.removeAll { !pruned.contains($0.name) }\n"
    place = TREE / "Package.swift"
    if place.read_text() != text:
        place.write_text(text)


def build(command, log):
    # Without the variable every other build would recompile everything: see scripts/lib.sh.
    result = run(command, cwd=TREE, env={**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"})
    (WORK / log).write_text(result.stdout)
    return result


def draw(mutants, sample, seed):
    return random.Random(seed).sample(mutants, sample) if sample and sample < len(mutants) else mutants


def find(binary, rooms, excluded):
    """Writes all mutants that are not excluded into a copy. Returns those of each room; their numbers never change."""
    shutil.rmtree(MUTATED, ignore_errors=True)
    shutil.copytree(SNAPSHOT, MUTATED)
    listing = WORK / "left-out"
    listing.write_text("\n".join(map(str, sorted(excluded))))
    found, number = {}, 1
    for name in rooms:
        files = files_of(ROOMS[name][0])
        if not files:
            raise SystemExit(f"mutate: {name} has no files in {', '.join(ROOMS[name][0])}")
        lines = subprocess.check_output([str(binary), str(listing), str(number), *files], text=True, cwd=MUTATED)
        found[name] = [line.split("\t", 3) for line in lines.splitlines()]
        number += STEP
    for module in {file.split("/")[1] for name in rooms for file in files_of(ROOMS[name][0])}:
        switch = SWITCH % {"module": module, "room": CAPACITY}
        (MUTATED / "Sources" / module / "MutantSwitch.swift").write_text(switch)
    return found


def mutate(rooms, sample, seeds):
    """Compiles the mutants of all rooms in, leaving out those that do not compile. Returns a record for each sample:
    its room, its seed, the number of mutants in the room, and the mutants that were drawn."""
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
    # As long as the sources are the same, mutants that did not compile the last time are left out again.
    digest = hashlib.sha256()
    for file in [file for name in rooms for file in files_of(ROOMS[name][0])]:
        digest.update((SNAPSHOT / file).read_bytes())
    memory = WORK / f"excluded.{digest.hexdigest()[:16]}"
    wrong = set(map(int, memory.read_text().split())) if memory.exists() else set()
    every = find(binary, rooms, set())
    # Drawn before it is known which mutants compile, so that one seed always gives the same sample.
    samples = {(name, seed): {int(mutant[0]) for mutant in draw(every[name], sample, seed)}
               for name in rooms for seed in seeds}
    drawn = set().union(*samples.values())
    numbers = {int(mutant[0]) for name in rooms for mutant in every[name]}
    for attempt in range(1, 25):
        found = find(binary, rooms, (numbers - drawn) | wrong)
        update_tree()
        prune(rooms)
        say(f"building {sum(map(len, found.values()))} mutants, attempt {attempt}")
        result = build(["swift", "build", "--build-tests", "--scratch-path", str(BUILD), *FLAGS], "build.log")
        if result.returncode == 0:
            return [{"room": name, "seed": seed, "count": len(every[name]),
                     "mutants": [mutant for mutant in found[name] if int(mutant[0]) in numbers]}
                    for (name, seed), numbers in samples.items()]
        where = {(match[1], int(match[2])) for match in
                 re.finditer(r"(Sources/\S+?\.swift):(\d+):\d+: error", result.stdout)}
        # An error may name any line of an expression: all mutants that begin on it or slightly above are left out.
        new = {int(mutant[0]) for mutants in found.values() for mutant in mutants
               if any((mutant[1], line) in where for line in range(int(mutant[2]), int(mutant[2]) + 1 + attempt // 2))}
        # A missing value is reported where it is used, not where the mutant left out the assignment.
        lacking = set(re.findall(r"(Sources/\S+?\.swift):\d+:\d+: error: (?:constant|variable) '(\w+)'", result.stdout))
        new |= {int(mutant[0]) for mutants in found.values() for mutant in mutants
                if any(mutant[1] == file and mutant[3].startswith(f"`{name} = ") for file, name in lacking)}
        # A function that may end without returning a value is reported at its end.
        ends = re.findall(r"(Sources/\S+?\.swift):(\d+):\d+: error: missing return", result.stdout)
        new |= {int(mutant[0]) for mutants in found.values() for mutant in mutants
                if any(mutant[1] == file and int(end) - 20 <= int(mutant[2]) <= int(end) for file, end in ends)}
        if not new:
            raise SystemExit(f"mutate: it does not build, and no mutant is why; see {WORK}/build.log")
        wrong |= new
        memory.write_text("\n".join(map(str, sorted(wrong))))
    raise SystemExit(f"mutate: it does not build; see {WORK}/build.log")


class Tests:
    def __init__(self):
        # A copy, so that later builds do not change what is measured.
        self.binary = str(shutil.copy2(next((BUILD / "release").glob("*.xctest")), WORK / "tests"))

    def result(self, test_run, limits, **environment):
        """Runs tests with limits on their processor time and on the elapsed time. The elapsed time says little while
        other work is running, and a test that waits for ever uses no processor time."""
        only, never = test_run
        processor, clock = limits
        command = [self.binary, "--testing-library", "swift-testing", "--filter", only]
        if never:
            command += ["--skip", never]
        environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no", **environment}
        try:
            status = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment,
                                    timeout=clock, cwd=TREE, preexec_fn=lambda: resource.setrlimit(
                                        resource.RLIMIT_CPU, (processor, processor + 1))).returncode
            if status in (-signal.SIGXCPU, -signal.SIGKILL):
                return "timed out"
            return "passed" if status == 0 else "failed"
        except subprocess.TimeoutExpired:
            return "timed out"


def processor_time():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measure(name, samples, tests, jobs):
    """Tries every mutant of a room once, and prints the figures of each of its samples. Returns for each sample how
    many mutants were killed, and of how many."""
    runs = ROOMS[name][1]
    met = set()
    limits = []
    for index, test_run in enumerate(runs):
        place = WORK / f"met.{name}.{index}"
        for file in WORK.glob(f"{place.name}.*"):
            file.unlink()
        began, used = time.monotonic(), processor_time()
        if tests.result(test_run, (900, 3_600), CLAWRADAR_MUTANTS_MET=str(place)) != "passed":
            raise SystemExit(f"mutate: the tests {test_run[0]} fail without any mutant")
        took, used = time.monotonic() - began, processor_time() - used
        limits.append((10 + round(6 * used), 40 + 20 * took))
        say(f"{name}: {test_run[0]} without a mutant took {took:.0f} s, {used:.1f} s of a processor")
        for file in WORK.glob(f"{place.name}.*"):
            met |= set(map(int, file.read_text().split()))
    chosen = {int(mutant[0]): mutant for sample in samples for mutant in sample["mutants"]}
    if not met & set(chosen):
        raise SystemExit(f"mutate: the tests of {name} come by none of its mutants, so they are not in what was built")
    # A mutant that no test reaches survives without a run.
    ends = {number: "never come by" for number in chosen if number not in met}
    tried = [mutant for number, mutant in chosen.items() if number in met]

    def fate(mutant):
        for test_run, limit in zip(runs, limits):
            result = tests.result(test_run, limit, CLAWRADAR_MUTANT=mutant[0])
            if result != "passed":
                return result
        return "passed"

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for done, (mutant, end) in enumerate(zip(tried, pool.map(fate, tried)), 1):
            ends[int(mutant[0])] = end
            if done % 20 == 0:
                say(f"{name}: {done} of {len(tried)} tried, {list(ends.values()).count('passed')} survive")
    return [report(sample, ends) for sample in samples]


def report(sample, ends):
    mutants = sample["mutants"]
    found = [ends[int(mutant[0])] for mutant in mutants]
    killed = sum(end in ("failed", "timed out") for end in found)
    seed = "" if sample["seed"] is None else f", seed {sample['seed']}"
    print(f"{sample['room']}{seed}: {killed} of {len(mutants)} killed ({100 * killed / max(1, len(mutants)):.0f} %), "
          f"{found.count('timed out')} of them by the time limit; {sample['count']} mutants in all; "
          f"{found.count('never come by')} were never come by")
    for number, file, line, change in sorted(mutants, key=lambda mutant: (mutant[1], int(mutant[2]))):
        if ends[int(number)] in ("passed", "never come by"):
            print(f"  {file}:{line}: {change}" + (" (never come by)" if ends[int(number)] != "passed" else ""))
    sys.stdout.flush()
    return killed, len(mutants)


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
    parser.add_argument("--seed", type=int, action="append", metavar="S", help="of the sample; printed. Given twice, two "
                        "samples are built at once and measured one by one")
    parser.add_argument("--least", type=float, default=0, metavar="PERCENT", help="what has to be killed of each room")
    parser.add_argument("--jobs", type=int, default=3 * (os.cpu_count() or 2), help="test runs at once; three for each "
                        "core, since what a mutant has stopped only waits")
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
        BUILD = TREE / ".build/tests"
    WORK.mkdir(parents=True, exist_ok=True)
    TREE.mkdir(parents=True, exist_ok=True)
    # Stored next to the build and never older than it: the mutants of another build would never be reached.
    listing = BUILD / "mutants.json"
    if options.built:
        if not listing.exists():
            say(f"nothing was built in {BUILD}; leave --built out")
            raise SystemExit(64)
        samples = [sample for sample in json.loads(listing.read_text()) if sample["room"] in rooms]
        rooms = [name for name in rooms if any(sample["room"] == name for sample in samples)]
    else:
        listing.unlink(missing_ok=True)
        seeds = (options.seed or [random.randrange(1 << 30)]) if options.sample else [None]
        samples = mutate(rooms, options.sample, seeds)
        listing.write_text(json.dumps(samples))
    tests = Tests()
    figures = []
    for name in rooms:
        figures += measure(name, [sample for sample in samples if sample["room"] == name], tests, options.jobs)
    if any(100 * killed < options.least * count for killed, count in figures):
        raise SystemExit(1)


if __name__ == "__main__":
    main()

import DNSSD

@testable import Discovery

/// Examples for each row of the guide's table *When a browser looks for something else*. Each begins with one part for
/// the types `chat` and `files`, which has seen the instances `a` and `f`.
enum BrowsePartsRules {
    typealias Rule = GuideRule<PartsDrive>

    private static func rows(of drive: inout PartsDrive) -> [String] { drive.rows }
    private static func changes(of drive: inout PartsDrive) -> [String] { drive.takeChanges() }
    private static func parts(of drive: inout PartsDrive) -> [String] { drive.running }
    private static func condition(of drive: inout PartsDrive) -> [String] { drive.condition }

    /// Returns an example that begins with this part alone.
    private static func example(
        _ description: String,
        _ expected: [String],
        of outcome: @escaping @Sendable (inout PartsDrive) -> [String] = rows,
        _ happens: @escaping @Sendable (inout PartsDrive) -> Void
    ) -> Rule {
        Rule(description, expected, of: outcome, from: { .both() }, happens)
    }

    /// Returns an example in which the type `chat` has been removed from the request.
    private static func withoutChat(
        _ description: String,
        _ expected: [String],
        of outcome: @escaping @Sendable (inout PartsDrive) -> [String] = rows,
        _ happens: @escaping @Sendable (inout PartsDrive) -> Void
    ) -> Rule {
        example(description, expected, of: outcome) { drive in
            drive.browse(for: [PartsDrive.files])
            _ = drive.takeChanges()
            happens(&drive)
        }
    }

    /// Returns an example in which a type has been added to the request.
    private static func withMore(
        _ description: String,
        _ expected: [String],
        of outcome: @escaping @Sendable (inout PartsDrive) -> [String] = rows,
        _ happens: @escaping @Sendable (inout PartsDrive) -> Void
    ) -> Rule {
        example(description, expected, of: outcome) { drive in
            drive.browse(for: [PartsDrive.chat, PartsDrive.files, Samples.type])
            happens(&drive)
        }
    }

    static let all: [Rule] = [
        Rule.of(
            "a type is added",
            withMore("its services are found, and the others do not notice", ["found o"], of: changes) {
                $0.latter(.status(.running), .sees("o", Samples.type))
                $0.pass(.seconds(60))
            },
            withMore("a part more looks for it", ["chat files", "openclaw"], of: parts) { _ in }
        ),
        Rule.of(
            "a type is taken away",
            example("its services are lost at once, those of others stay", ["lost a notBrowsed"], of: changes) {
                $0.browse(for: [PartsDrive.files])
                $0.former(.sees("a", PartsDrive.chat), .loses("a", PartsDrive.chat))
            },
            withoutChat("a part looks for what is left", ["chat files", "files"], of: parts) { _ in },
            example("where nothing is left, none does", [], of: parts) { $0.browse(for: []) }
        ),
        Rule.of(
            "a domain is taken away",
            example("its services are lost", ["lost w notBrowsed"], of: changes) {
                $0.browse(for: [PartsDrive.chat, PartsDrive.files], in: ["local", "example.org"])
                $0.latter(.status(.running), .sighted(PartsDrive.sighting("w", in: "example.org")))
                _ = $0.takeChanges()
                $0.browse(for: [PartsDrive.chat, PartsDrive.files])
            },
            example("its parts end", ["chat files"], of: parts) {
                $0.browse(for: [PartsDrive.chat, PartsDrive.files], in: ["local", "example.org"])
                $0.browse(for: [PartsDrive.chat, PartsDrive.files])
            }
        ),
        Rule.of(
            "a part begins that replaces another",
            withoutChat("what is known stands, however long it takes", ["f 3000"]) {
                $0.latter(.status(.starting))
                $0.pass(.seconds(60))
            },
            withoutChat("the former one goes on", ["chat files", "files"], of: parts) {
                $0.latter(.status(.unavailable(Samples.noDaemon)))
                $0.pass(.seconds(60))
            }
        ),
        Rule.of(
            "the former part sees what was known",
            withoutChat("its report counts", ["f 4"]) { $0.former(.sees("f", port: 4)) },
            withoutChat("not after that of the new one", ["f 5"]) {
                $0.latter(.sees("f", port: 5))
                $0.former(.sees("f", port: 4))
            }
        ),
        Rule.of(
            "the former part sees what was not known",
            withoutChat("the new one is to find it", ["f 3000"]) { $0.former(.sees("g")) }
        ),
        Rule.of(
            "the former part loses an instance",
            withoutChat("it is lost", ["lost f withdrawn"], of: changes) { $0.former(.loses("f")) },
            withoutChat("and need not be seen by the new one", ["lost f withdrawn"], of: changes) {
                $0.former(.loses("f"))
                $0.latter(.status(.running))
                $0.pass(.seconds(10))
            },
            withoutChat("not where the new one has seen it", ["f 5"]) {
                $0.latter(.sees("f", port: 5))
                $0.former(.loses("f"))
            }
        ),
        Rule.of(
            "the new part sees an instance",
            withoutChat("its report counts, also before it runs", ["f 5"]) { $0.latter(.sees("f", port: 5)) },
            withoutChat("also that it cannot be resolved", ["f failed"]) {
                $0.latter(.sees("f", .failed(reason: "no SRV")))
            },
            withoutChat("what it is still resolving stands as it was", ["f 3000"]) {
                $0.latter(.status(.running), .sees("f", .resolving))
            },
            withoutChat("what nobody knew does not wait", ["f 3000", "g resolving"]) {
                $0.latter(.status(.running), .sees("g", .resolving))
            }
        ),
        Rule.of(
            "the new part loses an instance",
            withoutChat("it is lost", ["lost f withdrawn"], of: changes) { $0.latter(.loses("f")) },
            withoutChat("whatever the former one said of it", []) {
                $0.former(.sees("f", port: 4))
                $0.latter(.sees("f", .resolving), .loses("f"))
                $0.former(.sees("f", port: 4))
            }
        ),
        Rule.of(
            "the new part runs",
            withoutChat("the former one ends", ["files"], of: parts) { $0.latter(.status(.running)) },
            withoutChat("what it saw stands", ["f 3000"]) {
                $0.latter(.status(.running))
                $0.pass(.seconds(2.9))
            }
        ),
        Rule.of(
            "3 s later",
            withoutChat("what it has not seen is lost", ["lost f withdrawn"], of: changes) {
                $0.latter(.status(.running))
                $0.pass(.seconds(3))
            },
            withoutChat("what it is still resolving is shown so", ["f resolving"]) {
                $0.latter(.status(.running), .sees("f", .resolving))
                $0.pass(.seconds(3))
            },
            withoutChat("while it is busy, it has more time", ["f 3000"]) {
                $0.latter(.status(.running), .activity(.busy))
                $0.pass(.seconds(3))
                $0.latter(.activity(.idle))
                $0.pass(.seconds(2.9))
            },
            withoutChat("and not for ever", []) {
                $0.latter(.status(.running), .activity(.busy))
                $0.pass(.seconds(3))
                $0.latter(.activity(.idle))
                $0.pass(.seconds(3))
            },
            withoutChat("where it does not run any more, nothing is lost", ["f 3000"]) {
                $0.latter(.status(.running))
                $0.latter(.status(.unavailable(Samples.noDaemon)))
                $0.pass(.seconds(60))
            },
            withoutChat("until it has run for as long again", ["f 3000"]) {
                $0.latter(.status(.running))
                $0.latter(.status(.unavailable(Samples.noDaemon)))
                $0.pass(.seconds(60))
                $0.latter(.status(.running))
                $0.pass(.seconds(2.9))
            },
            withoutChat("and then it is", []) {
                $0.latter(.status(.running))
                $0.latter(.status(.unavailable(Samples.noDaemon)))
                $0.pass(.seconds(60))
                $0.latter(.status(.running))
                $0.pass(.seconds(3))
            }
        ),
        Rule.of(
            "parts report their status",
            withMore("the worst counts", ["unavailable", "waits"], of: condition) {
                $0.latter(.status(.unavailable(Samples.noDaemon)))
            },
            withMore("running last", ["running", "settled"], of: condition) {
                $0.latter(.status(.unavailable(Samples.noDaemon)))
                $0.former(.status(.unavailable(Samples.noDaemon)))
                $0.latter(.status(.running))
                $0.former(.status(.running))
            },
            withMore("one that starts comes between", ["starting", "waits"], of: condition) {
                $0.latter(.status(.starting))
            },
            example("without any part the browse runs", ["running", "settled"], of: condition) { $0.browse(for: []) }
        ),
        Rule.of(
            "a part has not reported its status yet",
            withMore("it counts as busy, and the others' status stands", ["running", "waits"], of: condition) { _ in },
            withMore("until it has", ["running", "settled"], of: condition) { $0.latter(.status(.running)) }
        ),
        Rule.of(
            "parts report their activity",
            withMore("busy before all", ["running", "waits"], of: condition) {
                $0.former(.activity(.busy))
                $0.latter(.status(.running), .activity(.expecting(until: $0.now + .seconds(5))))
            },
            withMore("then the latest time", ["running", "waits 5 s"], of: condition) {
                $0.former(.activity(.expecting(until: $0.now + .seconds(5))))
                $0.latter(.status(.running), .activity(.expecting(until: $0.now + .seconds(2))))
            },
            withMore("idle last", ["running", "settled"], of: condition) {
                $0.former(.activity(.idle))
                $0.latter(.status(.running), .activity(.idle))
            }
        ),
        Rule.of(
            "a part warns, or reports losses",
            withoutChat("each is passed on", ["browseFailed", "invalidRecord", "3 lost"]) { drive in
                drive.state.condition.warnings.map { "\($0.code)" } + ["\(drive.state.losses.packets) lost"]
            } _: {
                $0.former(.warning(BackendWarning(.browseFailed, "one")), .losses(BackendLosses(packets: 1)))
                $0.latter(.warning(BackendWarning(.invalidRecord, "another")), .losses(BackendLosses(packets: 2)))
            }
        ),
        Rule.of(
            "a part that has ended reports",
            withoutChat("nothing", ["f 3000"]) {
                $0.latter(.status(.running))
                $0.former(.sees("f", port: 4), .loses("f"))
            }
        ),
    ].flatMap(\.self)
}

extension BrowseEvent {
    fileprivate static func sees(
        _ name: String,
        _ type: ServiceType = PartsDrive.files,
        _ resolution: Resolution = .resolved,
        port: UInt16 = 3_000
    ) -> BrowseEvent {
        .sighted(PartsDrive.sighting(name, type, resolution, port: port))
    }

    fileprivate static func sees(_ name: String, _ resolution: Resolution) -> BrowseEvent {
        .sees(name, PartsDrive.files, resolution)
    }

    fileprivate static func loses(_ name: String, _ type: ServiceType = PartsDrive.files) -> BrowseEvent {
        .vanished(PartsDrive.sighting(name, type).instance, Samples.eth0, .withdrawn)
    }
}

import CoreMetrics
import DNSSD
import GatewayProtocol
import Pairing
import Reports
import Scanning
import TestSupport
import Testing

@testable import Agent
@testable import AgentAPI

/// The metrics as Prometheus reads them.
@Suite struct MetricsTests {
    @Test func eachMetricHasItsTypeOnceAndItsSamples() {
        let registry = MetricsRegistry()
        let sent = registry.makeCounter(label: "a_packets_total", dimensions: [("direction", "sent")])
        let received = registry.makeCounter(label: "a_packets_total", dimensions: [("direction", "received")])
        let rows = registry.makeMeter(label: "b_rows", dimensions: [])
        let probe = registry.makeTimer(label: "c_probe_seconds", dimensions: [])
        sent.increment(by: 2)
        registry.makeCounter(label: "a_packets_total", dimensions: [("direction", "sent")]).increment(by: 1)
        received.increment(by: 7)
        rows.set(1.5)
        for _ in 0..<2 { probe.recordNanoseconds(250_000_000) }
        #expect(
            MetricSample.text(registry.samples) == """
                # TYPE a_packets_total counter
                a_packets_total{direction="received"} 7
                a_packets_total{direction="sent"} 3
                # TYPE b_rows gauge
                b_rows 1.5
                # TYPE c_probe_seconds summary
                c_probe_seconds_sum 0.5
                c_probe_seconds_count 2

                """
        )
    }

    /// A value ends at its quotation mark whatever is in it.
    @Test func labelsAreEscaped() {
        let key = MetricKey("up", [("part", "a\"b\\c\nd")])
        #expect(
            MetricSample.text([MetricSample(key, .gauge, 1)]) == "# TYPE up gauge\nup{part=\"a\\\"b\\\\c\\nd\"} 1\n"
        )
    }

    /// A scalar beside a mark does not hide it, whatever it is: the value that is read back has the same bytes.
    @Test func noScalarHidesTheEndOfALabel() {
        for scalar in HostileScalars.joining + HostileScalars.all.prefix(0x300) {
            let value = HostileScalars.text(scalar) + "\r\n\(scalar)\r\n"
            let text = MetricSample.text([MetricSample(MetricKey("up", [("part", value)]), .gauge, 1)])
            let start = "# TYPE up gauge\nup{part=\"".utf8.count
            let inside = Array(text.utf8.dropFirst(start).dropLast("\"} 1\n".utf8.count))
            var found: [UInt8] = []
            var bytes = inside.makeIterator()
            while let byte = bytes.next() {
                guard byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\n") else { break }
                guard byte == UInt8(ascii: "\\") else {
                    found.append(byte)
                    continue
                }
                found.append(bytes.next().map { $0 == UInt8(ascii: "n") ? UInt8(ascii: "\n") : $0 } ?? 0)
            }
            #expect(found == Array(value.utf8), "U+\(String(scalar.value, radix: 16))")
        }
    }

    /// Whatever a label is, each line is one of the exposition format, and its value can be read back.
    @Test(arguments: ["a\"b", "c\\", "\n# TYPE x gauge\nx 1", "é👩‍👩‍👧‍👦", "", "} 1\ny{z=\"", "\\n"])
    func everyLineIsOneOfTheFormat(value: String) throws {
        let key = MetricKey("clawradar_gateway_up", [("gateway", value)])
        let text = MetricSample.text([MetricSample(key, .gauge, 1), MetricSample(MetricKey("other"), .gauge, 0.5)])
        let lines = text.split(separator: "\n")
        let sample = /[a-zA-Z_:][a-zA-Z0-9_:]*(?:\{[a-zA-Z_][a-zA-Z0-9_]*="((?:[^"\\\n]|\\[\\"n])*)"\})? [0-9.+-eE]+/
        // The first has a sentence that says what it is.
        #expect(lines.count == 5 && lines[0].hasPrefix("# HELP "))
        for line in lines where !line.hasPrefix("# ") { #expect(line.wholeMatch(of: sample) != nil, "\(line)") }
        let written = try #require(lines[2].wholeMatch(of: sample)?.output.1)
        let read = written.replacing(/\\(.)/) { $0.output.1 == "n" ? "\n" : String($0.output.1) }
        #expect(read == value)
    }

    /// A gateway that the user has named is measured without a pairing or a setting, under the name; and a gateway in
    /// the settings has the label of its name, also while it is away and no row shows that. No gateway gets a label by
    /// what it calls itself.
    @Test func whatIsNamedIsMeasuredUnderItsName() throws {
        var map = BotMap()
        func answer(_ last: UInt32, as fingerprint: String, name: String) {
            let endpoint = Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0000 + last)), port: 3_000)
            _ = map.apply(.endpointAdded(endpoint, .local))
            let identity = GatewayIdentity(
                fingerprint: GatewayFingerprint(fingerprint),
                name: name,
                dialect: .optaplus,
                leaf: nil
            )
            _ = map.apply(.probed(endpoint, .gateway(identity)))
            _ = map.apply(.liveness(endpoint, .answering))
        }
        func alias(_ fingerprint: String, _ name: String) -> GatewayAlias {
            GatewayAlias(
                gatewayID: "fingerprint:\(fingerprint)",
                fingerprint: GatewayFingerprint(fingerprint),
                leaf: nil,
                name: name
            )
        }
        answer(1, as: "a", name: "Own name")
        answer(2, as: "b", name: "Cellar")
        let aliases = [alias("a", "Attic"), alias("c", "Cellar"), alias("d", "Dormer")]
        _ = map.apply(.aliased(aliases))
        func labels(_ named: [NamedGateway], given: [String: String] = [:]) -> [String] {
            let labels = GatewayLabels([], aliases)
            return MeasuredGateway.all(
                [],
                rows: [:],
                named: named,
                given: given,
                labels,
                in: map.gateways,
                heard: [:]
            )
            .map { "\($0.label) \($0.key) \($0.liveness == .answering)" }
        }
        #expect(labels([]) == ["Attic fingerprint:a true"])
        #expect(
            labels([], given: ["fingerprint:a": "Attic", "fingerprint:c": "Cellar", "0a1b": "Dormer"]) == [
                "Attic fingerprint:a true", "Cellar fingerprint:c false",
            ]
        )
        func named(_ text: String, alias: String? = nil, rows: Set<GatewayID> = []) -> NamedGateway {
            NamedGateway(
                text: text,
                key: "endpoint:\(text)",
                liveness: alias == nil ? nil : .answering,
                rows: rows,
                alias: alias
            )
        }
        let row = try #require(map.gateways.first { $0.alias != nil }).id
        let away = named("10.0.0.4:3000")
        #expect(
            labels(
                [named("10.0.0.1:3000", alias: "Attic", rows: [row]), away, named("10.0.0.5:3000")],
                given: ["endpoint:10.0.0.4:3000": "Dormer", "fingerprint:a": "Attic"]
            ) == [
                "Attic endpoint:10.0.0.1:3000 true", "Dormer endpoint:10.0.0.4:3000 false",
                "10.0.0.5:3000 endpoint:10.0.0.5:3000 false",
            ]
        )
        // Two gateways never have one label.
        let twice = labels([named("x:1", alias: "Attic", rows: [row]), named("y:1", alias: "Attic", rows: [row])])
        #expect(twice == ["Attic endpoint:x:1 true", "y:1 endpoint:y:1 true"])
    }

    /// One that has left a question unanswered is up until the map calls it gone, as `scan` does, even if the history has begun
    /// an outage by then; and the time since its last answer goes on meanwhile.
    @Test(arguments: [
        (Liveness?.some(.answering), false, [1.0, 2, 0]), (.suspect, false, [1, 2, 4]), (.suspect, true, [1, 2, 4]),
        (.gone, true, [0, 2, 60]), (nil, true, [0, 2, 60]), (nil, false, [0, 2]),
    ])
    func aSuspectIsStillUp(liveness: Liveness?, isOut: Bool, values: [Double]) throws {
        let (now, time) = (ContinuousClock.now, Timestamp.now)
        let gateway = MeasuredGateway(label: "Attic", key: "k", liveness: liveness, heard: now - .seconds(4))
        let outage = JSONValue(isOut ? time.advanced(by: .seconds(-60)).description : nil)
        let json = JSONValue.object(["told": "up", "hasAnswered": true, "allOutages": 2, "outage": outage])
        let memory = try #require(GatewayMemory(json))
        let samples = gateway.samples(["k": memory], at: now, time)
        #expect(samples.map(\.value) == values)
        #expect(samples[1].key.name == "clawradar_gateway_outages_total" && samples[1].kind == .counter)
        #expect(gateway.samples(nil, at: now, time).count == 1)
        for sample in samples { #expect(MetricHelp.text(sample.key.name) != nil) }
    }

    /// A gateway has the name that its user gave it, unless another one has it, too; what it calls itself counts nothing.
    @Test func aGatewayIsLabelledByItsAlias() throws {
        func pairing(_ number: Int, _ fingerprint: String) throws -> StoredPairing {
            StoredPairing(
                gatewayID: "fingerprint:\(fingerprint)",
                fingerprint: GatewayFingerprint(fingerprint),
                name: "Its own name",
                dialect: .optaplus,
                trust: .pinned(try #require(LeafFingerprint(bytes: Array(repeating: UInt8(number), count: 32)))),
                endpoints: [],
                pairedAt: 0,
                bots: [],
                credentials: []
            )
        }
        func alias(_ fingerprint: String, _ name: String, leaf: UInt8? = nil) -> GatewayAlias {
            GatewayAlias(
                gatewayID: "instance:\(name)",
                fingerprint: GatewayFingerprint(fingerprint),
                leaf: leaf.flatMap { LeafFingerprint(bytes: Array(repeating: $0, count: 32)) },
                name: name
            )
        }
        let all = [try pairing(1, "a"), try pairing(2, "b"), try pairing(3, "c"), try pairing(4, "d")]
        let labels = GatewayLabels(
            all,
            [alias("a", "Kitchen", leaf: 1), alias("b", "Twin"), alias("c", "Twin"), alias("d", "Forged", leaf: 9)]
        )
        #expect(all.map { labels[$0] } == ["Kitchen", all[1].shortID, all[2].shortID, all[3].shortID])
        #expect(GatewayLabels([all[0]], [alias("a", all[0].shortID)])[all[0]] == all[0].shortID)
    }
}

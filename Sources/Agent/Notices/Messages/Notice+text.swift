internal import DNSSD
internal import GatewayProtocol
package import Reports

/// A message in words, cleaned for people. It is plain text: whatever a sink gives a meaning to, it has to escape.
extension Notice {
    /// The maximum number of gateways that are named one by one.
    private static let mostNames = 20

    /// The maximum number of devices, and of the scopes of one, that are named.
    static let mostDevices = 4
    private static let mostScopes = 8

    /// The title, which says in one line what has happened.
    package var title: String { title(of: subjects.map(\.shownName)) }

    /// The title in words that quote nothing from the network, for places where others can read it.
    package var titleWithoutNames: String {
        title(of: subjects.map { _ in "a gateway" })
    }

    private func title(of names: [String]) -> String {
        let one = names.first ?? "a gateway"
        let who = names.count > 1 ? "\(names.count) gateways" : one
        let verb = names.count > 1 ? "are" : "is"
        return switch kind {
        case .gone: "\(who) \(verb) gone"
        case .back: "\(who) \(verb) back"
        case .unsteady: "\(one) is gone again and again" + (isAnswering == false ? ", and is gone now" : "")
        case .settled: isAnswering == true ? "\(one) answers steadily again" : "\(one) stays gone"
        case .wayLost: "\(one) is not reached over \(lostWay) any more"
        case .wayBack: "\(one) is reached over \(lostWay) again"
        case .newGateway: names.count > 1 ? "\(names.count) gateways are new here" : "\(one) is new here"
        case .approval:
            devices.count > 1
                ? "\(devices.count) devices wait for approval at \(one)" : "a device waits for approval at \(one)"
        case .notReady: "\(one) answers, and is not ready"
        case .ready: "\(one) is ready again"
        case .changedCertificate: "\(one) shows another certificate"
        case .moved: "\(one) is not where or what it was"
        case .replaced: "something else answers in place of \(one)"
        case .uncertified: "\(one) has no certificate that proves it"
        case .refused: "\(one) refuses this device"
        case .accepted: "\(one) accepts this device again"
        case .revoked: "\(one) has revoked the access of this device"
        case .cutOff: "this host has no network that leads to \(who)"
        case .reconnected: "this host has a network that leads to \(who) again"
        case .asleep: "this host was asleep"
        case .test: "this is a test"
        }
    }

    /// The parts that fail, cleaned for people.
    var shownFailing: [String] { failing.map { Self.cut(DisplayText($0, limit: 32).text, toBytes: 128) } }

    /// The words of a refusal, cleaned for people.
    var shownRefusal: String? {
        guard let text = refusal.map({ DisplayText($0, limit: 768).text }) else { return nil }
        return Self.cut(text.prefix(1).uppercased() + text.dropFirst(), toBytes: 1_024)
    }

    /// The way that a message about one is about, in words.
    private var lostWay: String { lost.map(\.words) ?? "one way" }

    /// The details that the title leaves out, in a few sentences. The times are local.
    package var text: String { text(in: .current) }

    func text(in zone: TimeZoneOffset) -> String {
        var sentences: [String] = []
        if subjects.count > 1 {
            let names = subjects.prefix(Self.mostNames).map(\.shownName)
            let rest = subjects.count - names.count
            sentences.append(names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : ""))
        }
        if let outages { sentences.append("\(outages) outages") }
        switch (since, until) {
        case (let since?, let until?):
            sentences.append("From \(zone.text(since)) to \(zone.text(until)), \(Self.length(from: since, to: until))")
        case (let since?, nil): sentences.append("Since \(zone.text(since))")
        case (nil, let until?): sentences.append("Until \(zone.text(until))")
        case (nil, nil): break
        }
        if let reason { sentences.append(reason.prefix(1).uppercased() + reason.dropFirst()) }
        if !failing.isEmpty { sentences.append("These fail: \(shownFailing.joined(separator: ", "))") }
        sentences += devices.prefix(Self.mostDevices).map(Self.sentence)
        if devices.count > Self.mostDevices {
            sentences.append("\(devices.count - Self.mostDevices) more wait: `clawradar approvals` shows them")
        }
        if kind == .wayLost, !ways.isEmpty {
            sentences.append("It answers over \(ways.map(\.words).joined(separator: " and "))")
        }
        // A full stop after a command would be taken for a part of it.
        return (sentences.map { "\($0)." } + [shownRefusal].compactMap(\.self)).joined(separator: " ")
    }

    /// Returns the sentence about a device that waits for an approval, without a full stop.
    private static func sentence(_ device: DeviceRequest) -> String {
        let scopes = device.scopes.prefix(mostScopes).map { cut(DeviceRequest.shown($0), toBytes: 192) }
        let rest = device.scopes.count - scopes.count
        let asked = scopes.isEmpty ? "no scope" : scopes.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
        guard device.asksForScopes else { return "\(device.shownName) asks to be paired: `\(device.command)`" }
        return "\(device.shownName) asks for \(asked): `\(device.command)`"
    }

    /// Returns a text that has no more than so many bytes, without the half of a character.
    package static func cut(_ text: String, toBytes limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var result = ""
        for character in text {
            guard result.utf8.count + character.utf8.count + 3 <= limit else { break }
            result.append(character)
        }
        return result + "\u{2026}"
    }

    /// Returns a length of time in words.
    package static func length(from: Timestamp, to: Timestamp) -> String {
        let seconds = max(0, (to.milliseconds - from.milliseconds + 500) / 1_000)
        return switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7_200: "\((seconds + 30) / 60) min"
        case ..<172_800: "\((seconds + 1_800) / 3_600) h"
        default: "\((seconds + 43_200) / 86_400) days"
        }
    }
}

extension Notice.Subject {
    /// The maximum numbers of characters and of bytes of a name: one character can have many bytes.
    private static let nameLimit = 64
    private static let nameBytes = 256

    /// The name, cleaned for people.
    package var shownName: String {
        let text = Notice.cut(DisplayText(name, limit: Self.nameLimit).text, toBytes: Self.nameBytes)
        return text.isEmpty ? "a gateway without a name" : text
    }
}

extension DeviceRequest {
    /// The name, cleaned for people, between quotation marks that it cannot contain.
    var shownName: String {
        guard let name else { return "A device without a name" }
        return DisplayText.quoted(Notice.cut(DisplayText(name, limit: 40).text, toBytes: 160))
    }
}

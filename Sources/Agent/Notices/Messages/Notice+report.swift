internal import DNSSD
package import GatewayProtocol
internal import Reports

/// A message as programs receive it: for sinks and for the queue of messages. Names are cleaned, since it is for people in
/// the end. It has at most 64 KiB, whatever gateways are called, since many programs take no more.
package struct NoticeReport: JSONReport {
    /// The maximum number of gateways in it, and of bytes of their list.
    static let mostGateways = 100
    private static let mostBytes = 40_000

    private let notice: Notice
    private let id: String

    /// - Parameter id: The number of the message, which is the same whenever it is repeated.
    package init(_ notice: Notice, id: String) {
        self.notice = notice
        self.id = id
    }

    package var fields: [String: JSONValue] {
        let gateways = gateways
        return [
            "id": .string(id),
            "kind": .string(notice.kind.rawValue),
            "title": .string(notice.title),
            "publicTitle": .string(notice.titleWithoutNames),
            "text": .string(notice.text),
            "time": .string(notice.time.description),
            "since": JSONValue(notice.since?.description),
            "until": JSONValue(notice.until?.description),
            "reason": JSONValue(notice.reason ?? notice.shownRefusal),
            "gateways": .array(gateways),
            "gatewaysLeftOut": .number(JSONNumber(notice.subjects.count - gateways.count)),
            "failing": .array(notice.shownFailing.map { .string($0) }),
            "devices": .array(notice.devices.prefix(Notice.mostDevices).map(Self.device)),
            "devicesLeftOut": .number(JSONNumber(max(0, notice.devices.count - Notice.mostDevices))),
            "way": JSONValue(notice.lost?.rawValue),
            "waysLeft": .array(notice.ways.map { .string($0.rawValue) }),
            "outages": notice.outages.map { .number(JSONNumber($0)) } ?? .null,
            "isAnswering": notice.isAnswering.map { .bool($0) } ?? .null,
        ]
    }
}

extension NoticeReport {
    /// A device that waits for an approval, cleaned.
    private static func device(_ request: DeviceRequest) -> JSONValue {
        .object([
            "id": .string(request.id),
            "name": JSONValue(request.name.map { Notice.cut(DisplayText($0, limit: 64).text, toBytes: 256) }),
            "scopes": JSONValue(request.scopes.map { Notice.cut(DisplayText($0, limit: 48).text, toBytes: 192) }),
            "command": .string(request.command),
        ])
    }

    /// The gateways, as many as there is room for.
    private var gateways: [JSONValue] {
        var all: [JSONValue] = []
        var bytes = 0
        for subject in notice.subjects.prefix(Self.mostGateways) {
            let fields: [String: JSONValue] = [
                "pairing": .string(subject.shownKey), "name": .string(subject.shownName),
            ]
            let value = JSONValue.object(fields.with(.key))
            bytes += value.encoded.count + 1
            guard bytes <= Self.mostBytes else { break }
            all.append(value)
        }
        return all
    }
}

extension Notice.Subject {
    /// The key, cleaned for people: that of a gateway without a pairing has a text of the network in it.
    var shownKey: String { Notice.cut(DisplayText(key, limit: 200).text, toBytes: 400) }
}

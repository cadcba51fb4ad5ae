internal import DNSSD
package import GatewayProtocol
internal import Reports

/// A message as programs receive it: for sinks and for the queue of messages. Names are cleaned, since it is for people in
/// the end.
package struct NoticeReport: JSONReport {
    private let notice: Notice
    private let id: String

    /// - Parameter id: The number of the message, which is the same whenever it is repeated.
    package init(_ notice: Notice, id: String) {
        self.notice = notice
        self.id = id
    }

    package var fields: [String: JSONValue] {
        [
            "id": .string(id),
            "kind": .string(notice.kind.rawValue),
            "title": .string(notice.title),
            "publicTitle": .string(notice.titleWithoutNames),
            "text": .string(notice.text),
            "time": .string(notice.time.description),
            "since": JSONValue(notice.since?.description),
            "until": JSONValue(notice.until?.description),
            "reason": JSONValue(notice.reason),
            "gateways": .array(
                notice.subjects.map { subject in
                    .object(["key": .string(subject.shownKey), "name": .string(subject.shownName)])
                }
            ),
            "way": JSONValue(notice.lost?.rawValue),
            "waysLeft": .array(notice.ways.map { .string($0.rawValue) }),
            "outages": notice.outages.map { .number(JSONNumber($0)) } ?? .null,
            "isAnswering": notice.isAnswering.map { .bool($0) } ?? .null,
        ]
    }
}

extension Notice.Subject {
    /// The key, cleaned for people: that of a gateway without a pairing has a text of the network in it.
    var shownKey: String { DisplayText(key, limit: 200).text }
}

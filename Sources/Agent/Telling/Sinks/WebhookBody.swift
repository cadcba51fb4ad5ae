internal import DNSSD
internal import GatewayProtocol
internal import Reports

/// The body of a request to a web server, in the form that it wants: what has a meaning there is escaped. A value.
struct WebhookBody: Hashable, Sendable {
    /// The path with its query, which is another one for some services.
    let target: String

    let bytes: [UInt8]

    init(_ message: WaitingMessage, _ form: Webhook.Form, target: String) {
        var target = target
        switch form {
        case .json:
            bytes = Array(message.line.utf8)
        case .ntfy:
            // As JSON to the root, and not in header fields, which cannot have every character.
            let path = target.prefix { $0 != "?" }
            let topic = path.split(separator: "/").last.map(String.init) ?? ""
            let fields: [String: JSONValue] = [
                "topic": .string(topic), "title": .string(SinkText.plain(message.title)),
                // A longer one becomes an attachment.
                "message": .string(Notice.cut(SinkText.plain(message.text), toBytes: 3_900)),
                "priority": .number(JSONNumber(message.isUrgent ? 4 : 3)),
            ]
            // The query says who sends it, where there is no header field for that.
            let root = path.dropLast(path.hasSuffix(topic) ? topic.count : 0)
            target = String(root) + target.dropFirst(path.count)
            bytes = JSONValue.object(fields).encoded
        case .slack:
            let text = "*\(SinkText.slack(message.title))*\n\(SinkText.slack(message.text))"
            bytes = JSONValue.object(["text": .string(text)]).encoded
        case .discord:
            let text = "**\(SinkText.discord(message.title))**\n\(SinkText.discord(message.text))"
            bytes =
                JSONValue.object([
                    "content": .string(DisplayText.cut(text, to: 1_900)),
                    // Nobody is called by what a gateway is named.
                    "allowed_mentions": .object(["parse": .array([])]),
                ]).encoded
        case .homeAssistant:
            bytes =
                JSONValue.object([
                    "title": .string(SinkText.homeAssistant(message.title)),
                    "message": .string(SinkText.homeAssistant(message.text)),
                    "kind": JSONValue(message.kind?.rawValue), "id": .string(message.id),
                ]).encoded
        case .template(let template):
            let values: [Webhook.TemplateName: String] = [
                .title: SinkText.plain(message.title), .text: SinkText.plain(message.text),
                .kind: message.kind?.rawValue ?? "", .id: message.id,
            ]
            bytes = Array(Webhook.Form.filled(template, values).utf8)
        }
        self.target = target
    }
}

extension DisplayText {
    /// Returns a text that has no more than so many UTF-16 units, by which services count.
    fileprivate static func cut(_ text: String, to limit: Int) -> String {
        guard text.utf16.count > limit else { return text }
        var result = ""
        var count = 0
        for character in text {
            count += character.utf16.count
            guard count < limit else { break }
            result.append(character)
        }
        return result + "…"
    }
}

extension WaitingMessage {
    /// Indicates whether somebody should look soon.
    var isUrgent: Bool {
        switch kind {
        case .gone, .unsteady, .notReady, .cutOff, .changedCertificate, .replaced, .revoked: true
        case .back, .settled, .ready, .newGateway, .approval, .wayLost, .wayBack, .moved, .uncertified, .refused,
            .accepted, .reconnected, .asleep, .test, nil:
            false
        }
    }
}

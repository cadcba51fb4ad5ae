package import GatewayProtocol

/// A way by which messages reach a person, as a user has set it up. A value.
package struct NoticeSink: Hashable, Sendable {
    /// A receiver of messages.
    package enum Channel: Hashable, Sendable {
        /// A program, with its arguments: it gets the message as JSON on standard input.
        case exec([String])

        /// A web server, which gets the message by POST.
        case webhook(Webhook)

        /// The desktop of this user, by `notify-send`.
        case desktop

        /// The mail system of this host, by `sendmail`.
        case mail(to: String)
    }

    /// The name that the user gives it, of letters, digits, `-` and `_`.
    package let name: String

    package let channel: Channel

    /// The sink in a few words, without a secret.
    package var summary: String {
        switch channel {
        case .exec(let command): "exec \(command.joined(separator: " "))"
        case .webhook(let webhook): "webhook \(webhook.summary)"
        case .desktop: "desktop"
        case .mail(let address): "mail \(address)"
        }
    }
}

/// A web server that takes messages.
package struct Webhook: Hashable, Sendable {
    /// The place of its address.
    package enum Place: Hashable, Sendable {
        case url(WebURL)

        /// A file of the user's alone, with the address: many services put a secret into it.
        case file(String)
    }

    /// The form of the body.
    package enum Form: Hashable, Sendable {
        /// The JSON of the message.
        case json
        case ntfy
        case slack
        case discord
        case homeAssistant

        /// JSON of the user's own, in which `{title}`, `{text}`, `{kind}` and `{id}` are replaced within its strings.
        case template(String)

        /// The forms that have a name in the configuration.
        package static let named: [(name: String, form: Form)] = [
            ("json", .json), ("ntfy", .ntfy), ("slack", .slack), ("discord", .discord),
            ("home-assistant", .homeAssistant),
        ]

        /// Replaces the names in a template in one pass, so that what a text says is never taken for a name.
        ///
        /// - Parameter values: The texts for the names, which become the insides of strings of JSON.
        package static func filled(_ template: String, _ values: [TemplateName: String]) -> String {
            var result = ""
            var rest = template[...]
            while let next = rest.first {
                if next == "{", let name = TemplateName.allCases.first(where: { rest.hasPrefix($0.rawValue) }) {
                    let value = JSONValue.string(values[name] ?? "").encoded
                    result += String(decoding: value.dropFirst().dropLast(), as: UTF8.self)
                    rest = rest.dropFirst(name.rawValue.count)
                } else {
                    result.append(next)
                    rest = rest.dropFirst()
                }
            }
            return result
        }

        /// Indicates whether a template is JSON, whatever is filled in.
        package static func isTemplate(_ text: String) -> Bool {
            ["", "x"].allSatisfy { sample in
                let values = Dictionary(uniqueKeysWithValues: TemplateName.allCases.map { ($0, sample) })
                return (try? JSONValue(parsing: Array(filled(text, values).utf8))) != nil
            }
        }
    }

    /// A name that is replaced in a template.
    package enum TemplateName: String, Hashable, Sendable, CaseIterable {
        case title = "{title}"
        case text = "{text}"
        case kind = "{kind}"
        case id = "{id}"
    }

    package let place: Place
    package let form: Form

    /// The path of a file of the user's alone with a token, which is sent as `Authorization: Bearer`.
    package let tokenFile: String?

    /// The path of a file with the certificates that are trusted in place of the system's, as PEM.
    package let caFile: String?

    package init(_ place: Place, form: Form = .json, tokenFile: String? = nil, caFile: String? = nil) {
        self.place = place
        self.form = form
        self.tokenFile = tokenFile
        self.caFile = caFile
    }

    var summary: String {
        let word = Form.named.first { $0.form == form }?.name ?? "template"
        return switch place {
        case .url(let url): "\(url.origin)/… (\(word))"
        case .file(let path): "at the address in \(path) (\(word))"
        }
    }
}

internal import DNSSD
internal import GatewayClient
internal import GatewayProtocol
internal import HostSystem
internal import Reports
internal import SystemPackage

/// One request to a web server that takes messages. Nothing follows an answer by itself: no redirect, no second request.
struct WebhookCall: Sendable {
    /// The maximum number of bytes in a file with a secret, or with certificates.
    private static let secretLimit = 4_096
    private static let certificateLimit = 1_048_576

    /// The longest time that a server may ask for.
    private static let longestPause = 3_600

    private let webhook: Webhook

    init(_ webhook: Webhook) {
        self.webhook = webhook
    }

    func send(_ message: WaitingMessage) async -> SinkOutcome {
        do throws(WebFailure) {
            let url = try url()
            let body = WebhookBody(message, webhook.form, target: url.target)
            var call = WebCall(
                "POST",
                url,
                target: body.target,
                headers: try headers(to: url, message),
                body: body.bytes
            )
            call.roots = try roots()
            return Self.outcome(try await call.send())
        } catch {
            return .failed(error.description, retryAfter: nil)
        }
    }

    /// Judges an answer.
    static func outcome(_ reply: WebReply) -> SinkOutcome {
        let said = DisplayText(reply.text.split(separator: "\n").first.map(String.init) ?? "", limit: 120).text
        let words = "it answers with \(reply.status)\(said.isEmpty ? "" : ": \(said)")"
        switch reply.status {
        case 200..<300: return .delivered(words)
        case 300..<400:
            return .failed(
                "\(words). A redirect is not followed: the configuration must name its target",
                retryAfter: nil
            )
        // What it says of this message, and not of the address or the token.
        case 400, 413, 415, 422: return .refused(words)
        default:
            let pause = reply.pause(now: Timestamp.now.milliseconds).map {
                Duration.seconds(min(max($0, 0), longestPause))
            }
            return .failed(words, retryAfter: pause)
        }
    }

    // MARK: The request

    private func url() throws(WebFailure) -> WebURL {
        switch webhook.place {
        case .url(let url): return url
        case .file(let path):
            guard let url = WebURL(try Self.secret(path)) else {
                throw WebFailure("\(path): expected an address that begins with https://, found another text")
            }
            return url
        }
    }

    private static func secret(_ path: String) throws(WebFailure) -> String {
        do {
            guard let text = try SecretText.read(FilePath(path), limit: secretLimit) else {
                throw WebFailure("\(path): there is no such file")
            }
            return String(decoding: text.bytes, as: UTF8.self)
        } catch let error as SafeFileError {
            throw WebFailure(error.description)
        } catch {
            throw error as? WebFailure ?? WebFailure("\(error)")
        }
    }

    private func headers(
        to url: WebURL,
        _ message: WaitingMessage
    ) throws(WebFailure) -> [(name: String, value: String)] {
        var headers = [
            (name: "Content-Type", value: "application/json"),
            // Who gets a message twice knows it by this (draft-ietf-httpapi-idempotency-key-header).
            ("Idempotency-Key", "\"\(message.id)\""),
        ]
        if let path = webhook.tokenFile {
            guard url.isSecure || url.isThisHost else {
                throw WebFailure("a token is sent over https alone, and the address begins with http")
            }
            let token = try Self.secret(path)
            guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw WebFailure("\(path): expected a token without spaces in ASCII, found another text")
            }
            headers.append(("Authorization", "Bearer \(token)"))
        }
        return headers
    }

    private func roots() throws(WebFailure) -> WebCall.Roots {
        guard let path = webhook.caFile else { return .system }
        do {
            // Not waited for: a pipe in its place would hold up every message.
            guard let file = try SafeFile(path: FilePath(path)).readForeign(limit: Self.certificateLimit) else {
                throw WebFailure("there is no such file")
            }
            return .pem(file.bytes)
        } catch {
            throw WebFailure("\(path): expected certificates as PEM: \(error)")
        }
    }
}

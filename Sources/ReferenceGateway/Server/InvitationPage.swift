internal import GatewayProtocol
internal import Synchronization

/// The page at `/` by which an OptaPlus gateway shows its operator the link for the next device.
///
/// It holds a code that pairs, so that it is for browsers of this host alone: neither for a page of the web whose own name
/// leads here, nor for whoever comes through a proxy, which is on this host, too.
final class InvitationPage: Sendable {
    private static let names = ["127.0.0.1", "localhost", "[::1]"]
    private static let marksOfProxies = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"]

    private let source = Mutex<(@Sendable () async -> PageHandler.Page?)?>(nil)

    /// Has the page made by a closure from now on.
    func open(_ source: @escaping @Sendable () async -> PageHandler.Page?) {
        self.source.withLock { $0 = source }
    }

    /// Makes the page; `nil` if there is none.
    func page() async -> PageHandler.Page? { await source.withLock(\.self)?() }

    /// Indicates whether a request that has come from this host was made by a browser of it.
    ///
    /// - Parameters:
    ///   - hosts: The fields `Host` of the request.
    ///   - names: The names of all its fields.
    static func isAsked(at hosts: [String], with names: [String]) -> Bool {
        guard hosts.count == 1, let host = hosts.first?.lowercased() else { return false }
        return Self.names.contains { host == $0 || host.hasPrefix("\($0):") }
            && !names.contains { name in marksOfProxies.contains(name.lowercased()) }
    }

    /// Makes the page of an invitation. It is read anew by itself, as the code is renewed.
    ///
    /// - Parameters:
    ///   - invitation: The invitation.
    ///   - name: The name of the gateway.
    ///   - draw: Makes the QR code of a text as SVG; `nil` if it cannot.
    static func page(
        _ invitation: Invitation,
        of name: String,
        draw: (String) -> String?
    ) -> PageHandler.Page {
        let picture = invitation.user == nil ? draw(invitation.link) : nil
        let lines = [
            "<!DOCTYPE html>", "<html lang=\"en\">", "<meta charset=\"utf-8\">",
            "<meta name=\"viewport\" content=\"width=device-width\">", "<meta http-equiv=\"refresh\" content=\"10\">",
            "<title>\(escaped(name))</title>", "<h1>\(escaped(name))</h1>",
            picture.map {
                "<p><img alt=\"QR code of the link\" src=\"data:image/svg+xml,\(PercentEncoding.encoded($0.utf8))\"></p>"
            } ?? "",
            invitation.user.map { "<p>Paired with \(escaped($0)). The next link comes within a minute.</p>" }
                ?? "<p><a href=\"\(escaped(invitation.link))\"><code>\(escaped(invitation.link))</code></a></p>",
            invitation.user == nil
                ? invitation.rest.map { "<p>For one device, within \($0 / 1_000) seconds.</p>" } ?? "" : "",
            "</html>", "",
        ]
        return PageHandler.Page(
            type: "text/html; charset=utf-8",
            Array(lines.filter { !$0.isEmpty }.joined(separator: "\n").utf8),
            fields: [
                "Cache-Control": "no-store", "Content-Security-Policy": "default-src 'none'; img-src data:",
                "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY",
            ]
        )
    }

    private static func escaped(_ text: String) -> String {
        text.map { character in
            switch character {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            default: String(character)
            }
        }.joined()
    }
}

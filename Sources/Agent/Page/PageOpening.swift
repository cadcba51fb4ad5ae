internal import GatewayProtocol
internal import HostSystem

/// A way into the page that was made for somebody.
package struct PageOpening: Hashable, Sendable {
    /// The port of this host at which the page is answered.
    package let port: UInt16

    /// The address for the browser, with a login that works once.
    package let address: String

    /// The path of a file that leads a browser there; `nil` if none was wanted.
    package let file: String?

    /// Returns the address of the page.
    ///
    /// - Parameter login: The login. What stands behind the `#` is not sent.
    static func address(port: UInt16, login: String) -> String { "http://127.0.0.1:\(port)/#login=\(login)" }

    /// Returns the text of a file that leads a browser to an address, which has no character that means something in HTML.
    static func handOver(to address: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="referrer" content="no-referrer">
        <meta http-equiv="refresh" content="0; url=\(address)">
        <title>clawradar</title>
        <p><a href="\(address)">The page of clawradar</a></p>
        </html>

        """
    }
}

extension Agent {
    /// The time that the page has to be answered.
    private static let pageTimeout = Duration.seconds(2)

    /// Makes a way into the page, which is answered from then on.
    ///
    /// - Parameters:
    ///   - link: A link to a gateway, which the page asks about; `nil` for none.
    ///   - handsOver: Indicates whether a file is wanted that leads a browser there.
    package func openPage(link: String?, handsOver: Bool) async throws(RadarError) -> PageOpening {
        guard let port = await servePage(until: .now + Self.pageTimeout) else {
            let reason = parts.first { $0.name == "port" || $0.name == "page" }?.state.reason
            throw RadarError(.unavailable, "the page is not answered\(reason.map { ": \($0)" } ?? " yet; ask again")")
        }
        guard page.leadsHere else {
            throw RadarError(
                .unavailable,
                "another user may still have a connection at port \(port), to which a browser would give the login: close the "
                    + "browser, or change the port of the configuration, and ask again"
            )
        }
        let login = page.makeLogin(link: link)
        let address = PageOpening.address(port: port, login: login)
        guard handsOver else { return PageOpening(port: port, address: address, file: nil) }
        do throws(SafeFileError) {
            let text = PageOpening.handOver(to: address)
            let file = try page.handOver(login, text, in: configuration.place.folder)
            return PageOpening(port: port, address: address, file: file)
        } catch {
            throw RadarError(.unavailable, "the file that leads to the page cannot be written: \(error)")
        }
    }
}

internal import Agent
internal import GatewayProtocol
internal import HTTPTypes
internal import Pairing
internal import QRCodes
internal import Reports

extension RouteTable {
    /// Links for other devices. Whoever has one with a code may pair a device.
    static let link: [APIRoute] = [
        APIRoute(.post, "/api/v1/link", [.change, .secret]) { agent, query in
            let members = try JSONMembers(query.body, ["pairing", "access"], such: #"{"pairing": "…"}"#)
            let access = try members.member("access", "limited or full") { value in
                value.string.flatMap(MadeSetupCode.Access.init)
            }
            var link = try await agent.radar.link(to: members.neededPairing(), opening: access ?? .limited)
            // The link is of use without a picture.
            link.modules = (try? QRSymbol(encoding: link.link))?.rows
            return .document(.ok, link.line)
        }
    ]
}

extension QRSymbol {
    /// The rows of modules without a frame, from the top, each of `0` and `1` for light and dark.
    var rows: [String] {
        let range = Self.quietZone..<Self.quietZone + size
        return range.map { row in String(range.map { isDark($0, row) ? "1" : "0" }) }
    }
}

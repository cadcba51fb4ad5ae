internal import Agent
internal import GatewayProtocol
internal import HTTPTypes
internal import Pairing
internal import Reports

/// The body of a request for a way into the page.
struct PageRequest: Hashable, Sendable {
    /// A link or a setup code that the page asks about; `nil` for none.
    let invitation: String?

    /// Indicates whether a file is wanted that leads a browser there.
    let handsOver: Bool

    /// Reads a body.
    init(_ body: [UInt8]) throws(APIProblem) {
        let members = try JSONMembers(body, ["invitation", "file"], such: #"{"file": true}"#)
        invitation = try members.member("invitation", "a link or a setup code") { value in
            value.secret?.revealed.flatMap { ((try? PairingInvitation(parsing: $0)) ?? nil) == nil ? nil : $0 }
        }
        handsOver = try members.member("file", "true or false", \.bool) ?? false
    }
}

/// A way into the page, as whoever has asked for it reads it.
struct PageOpeningDocument: JSONReport {
    let opening: PageOpening

    var fields: [String: JSONValue] {
        [
            "port": .number(JSONNumber(Int(opening.port))), "address": .string(opening.address),
            "file": JSONValue(opening.file),
        ]
    }
}

/// The token that a page was given for its login.
struct PageTokenDocument: JSONReport {
    let token: String
    let end: Timestamp

    /// The link that the page was opened with, which it asks about.
    let link: String?

    var fields: [String: JSONValue] {
        ["token": .string(token), "expiresAt": .string(end.description), "link": JSONValue(link)]
    }
}

extension Agent {
    /// Makes a way into the page.
    func openPage(_ request: PageRequest) async throws -> PageOpeningDocument {
        PageOpeningDocument(opening: try await openPage(link: request.invitation, handsOver: request.handsOver))
    }

    /// Gives a page its token for a login.
    func beginPage(_ body: [UInt8]) throws(APIProblem) -> PageTokenDocument {
        let members = try JSONMembers(body, ["login"], such: #"{"login": "…"}"#)
        let login = try members.member("login", "a text", \.string) ?? ""
        guard let (token, end, link) = page.exchange(login) else {
            throw APIProblem(
                .unauthorized,
                "the login is too old, or was used: run `clawradar page` again",
                headers: [.wwwAuthenticate: "Bearer"]
            )
        }
        return PageTokenDocument(token: token, end: end, link: link)
    }
}

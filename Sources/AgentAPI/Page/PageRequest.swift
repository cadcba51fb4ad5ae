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
        handsOver = try members.flag("file") ?? false
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

/// The session that a page was given for its login.
struct PageSessionDocument: JSONReport {
    let session: PageSession

    var token: String { session.token }

    var fields: [String: JSONValue] {
        [
            "token": .string(session.token), "key": .string(session.key),
            "port": JSONValue(session.port),
            "expiresAt": .string(session.end.description), "link": JSONValue(session.link),
        ]
    }
}

/// The proofs by which a page that is still open finds out that it asks its own agent, and the run that its next token is for.
struct PageProofDocument: JSONReport {
    let run: String
    let proofs: [String]

    var fields: [String: JSONValue] { ["run": .string(run), "proofs": JSONValue(proofs)] }
}

extension Agent {
    /// Makes a way into the page.
    func openPage(_ request: PageRequest) async throws -> PageOpeningDocument {
        PageOpeningDocument(opening: try await openPage(link: request.invitation, handsOver: request.handsOver))
    }

    /// Gives a page a session for a login.
    func beginPage(_ body: [UInt8]) throws(APIProblem) -> PageSessionDocument {
        let members = try JSONMembers(body, ["login"], such: #"{"login": "…"}"#)
        let login = try members.member("login", "a text", \.string) ?? ""
        guard let session = page.exchange(login) else {
            throw APIProblem(
                .unauthorized,
                "the login is too old, or was used: run `clawradar page` again",
                headers: [.wwwAuthenticate: "Bearer"]
            )
        }
        return PageSessionDocument(session: session)
    }

    /// Proves to pages that this agent has the keys of their sessions.
    func provePage(_ body: [UInt8]) throws(APIProblem) -> PageProofDocument {
        let members = try JSONMembers(body, ["nonce"], such: #"{"nonce": "…"}"#)
        let nonce = try members.member("nonce", "64 lower-case hexadecimal digits", \.string) ?? ""
        guard let (run, proofs) = page.proofs(for: nonce) else {
            throw APIProblem(
                .badRequest,
                "expected a nonce of 64 lower-case hexadecimal digits, and a page that is answered"
            )
        }
        return PageProofDocument(run: run, proofs: proofs)
    }
}

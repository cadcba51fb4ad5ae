internal import Crypto
internal import FoundationEssentials
package import GatewayProtocol

/// A session with the auth server, as it has just been granted. A value.
package struct CloudSession: Hashable, Sendable {
    /// The token that renews the session, once.
    package let refreshToken: Secret

    /// The token of requests.
    package let accessToken: Secret

    /// The time for which it is valid. By the clock of this host, whatever that says: the server's may be another one.
    package let lifetime: Duration

    /// The identifier of the user.
    package let user: String

    /// The address of the user.
    package let email: String

    /// Reads an answer; `nil` if it is none.
    init?(_ json: JSONValue?) {
        guard let json, let access = json["access_token"]?.secret, let refresh = json["refresh_token"]?.secret,
            !access.isEmpty, !refresh.isEmpty, [access, refresh].allSatisfy({ $0.count <= StoreLimits.secretBytes }),
            // What goes into a header.
            access.withUnsafeBytes({ $0.allSatisfy { (0x21...0x7E).contains($0) } }),
            let user = json["user"]?["id"]?.string, (1...64).contains(user.utf8.count)
        else { return nil }
        (refreshToken, accessToken, self.user) = (refresh, access, user.lowercased())
        lifetime = .seconds(min(max(json["expires_in"]?.int ?? 0, 0), 86_400))
        email = json["user"]?["email"]?.string?.cut(toBytes: StoreLimits.nameBytes) ?? ""
    }
}

/// The ways to sign in, each a request or two.
extension CloudServer {
    /// Signs in with a password, which is not kept.
    package func signIn(_ email: String, password: Secret) async throws(CloudError) -> CloudSession {
        try await session("password", ["email": .string(email), "password": .secret(password)])
    }

    /// Has a one-time code sent. Only to somebody whom the project knows.
    package func sendCode(to email: String) async throws(CloudError) {
        _ = try await ask("POST", "/auth/v1/otp", .object(["email": .string(email), "create_user": false]))
    }

    /// Signs in with a one-time code.
    package func signIn(_ email: String, code: Secret) async throws(CloudError) -> CloudSession {
        let body: JSONValue = .object(["type": "email", "email": .string(email), "token": .secret(code)])
        return try Self.session(try await ask("POST", "/auth/v1/verify", body))
    }

    /// The ways by others that the project offers, such as `google`.
    package var providers: Set<String> {
        get async throws(CloudError) {
            let offered = try await ask("GET", "/auth/v1/settings").json?["external"]?.object ?? [:]
            return Set(offered.filter { $0.value == true }.keys)
        }
    }

    /// Returns the address that the user opens to sign in by a provider (RFC 7636).
    package func address(of provider: String, back: String, _ verifier: CloudVerifier) -> String {
        let parts = [
            ("provider", provider), ("redirect_to", back), ("code_challenge", verifier.challenge),
            ("code_challenge_method", "s256"),
        ]
        let query = parts.map { "\($0)=\(PercentEncoding.encoded($1.utf8))" }.joined(separator: "&")
        return "\(project.url.origin)/auth/v1/authorize?\(query)"
    }

    /// Signs in with what a provider has sent back.
    package func signIn(code: Secret, _ verifier: CloudVerifier) async throws(CloudError) -> CloudSession {
        try await session("pkce", ["auth_code": .secret(code), "code_verifier": .secret(verifier.secret)])
    }

    /// Renews a session. The token works once.
    func renew(_ token: Secret) async throws(CloudError) -> CloudSession {
        try await session("refresh_token", ["refresh_token": .secret(token)])
    }

    /// Ends a session, and no other one of the user.
    package func signOut(_ token: Secret) async throws(CloudError) {
        _ = try await ask("POST", "/auth/v1/logout?scope=local", .object([:]), token: token)
    }

    private func session(_ grant: String, _ body: [String: JSONValue]) async throws(CloudError) -> CloudSession {
        try Self.session(try await ask("POST", "/auth/v1/token?grant_type=\(grant)", .object(body)))
    }

    private static func session(_ answer: Answer) throws(CloudError) -> CloudSession {
        guard let session = CloudSession(answer.json) else {
            throw CloudError("it answers with no session: the e-mail address may have to be confirmed first")
        }
        return session
    }
}

/// The secret by which this program alone can use what comes back from a provider. A value.
package struct CloudVerifier: Hashable, Sendable {
    let secret: Secret

    /// Creates one of 256 random bits.
    package init() {
        func random() -> String {
            Base64.url.encode(SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) })
        }
        (secret, place) = (Secret(random()), random())
    }

    /// A place for the browser to come back to, which nobody guesses.
    package let place: String

    /// Its digest, which everybody may see.
    var challenge: String {
        Base64.url.encode(Array(secret.withUnsafeBytes { SHA256.hash(data: Data($0)) }))
    }
}

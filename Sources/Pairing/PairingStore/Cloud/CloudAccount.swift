internal import GRDB
package import GatewayProtocol

/// The user's account with a project of the cloud, and how its sync does. A value.
package struct CloudAccount: Hashable, Sendable {
    /// The project.
    package let project: CloudProject

    /// The identifier of the user there.
    package let user: String

    /// The address by which the user signs in.
    package let email: String

    /// Indicates whether names and hosts are sealed, too.
    package let sealsNames: Bool

    /// Indicates whether there is a session.
    package var isSignedIn = true

    /// The time of the server up to which its rows have been read, in microseconds since 1970; `nil` before the first time.
    package var marker: Int?

    /// The time of the last reading, in milliseconds since 1970.
    package var pulledAt: Int?

    /// The number of attempts that have failed since the last success.
    package var failures = 0

    /// The reason why the last attempt failed, or why the session has ended, for people.
    package var trouble: String?

    package init(project: CloudProject, user: String, email: String, sealsNames: Bool) {
        (self.project, self.user, self.email, self.sealsNames) = (project, user.lowercased(), email, sealsNames)
    }

    /// Indicates whether the user is to be told that it does not work.
    package var isTrouble: Bool { failures >= 3 || !isSignedIn && trouble != nil }
}

extension CloudAccount {
    static func fetch(_ db: Database) throws -> CloudAccount? {
        let sql = """
            SELECT url, publishableKey, user, email, sealsNames, sealedToken IS NOT NULL AS isSignedIn, marker, pulledAt,
                failures, trouble
            FROM cloud
            """
        guard let row = try Row.fetchOne(db, sql: sql) else { return nil }
        let url: String = try row.value("url")
        guard let project = CloudProject(url: url, key: try row.value("publishableKey")) else {
            throw Row.unreadable("url")
        }
        var account = CloudAccount(
            project: project,
            user: try row.value("user"),
            email: try row.value("email"),
            sealsNames: try row.value("sealsNames")
        )
        account.isSignedIn = try row.value("isSignedIn")
        account.marker = try row.optional("marker")
        account.pulledAt = try row.optional("pulledAt")
        account.failures = try row.value("failures")
        account.trouble = try row.optional("trouble")
        return account
    }

    /// The place that the token of its session is sealed for.
    var place: SealedPlace { .cloudSession(url: project.url.origin, user: user) }
}

extension PairingStore {
    /// Returns on whose behalf rows are made for an account.
    package func cloudOwner(_ account: CloudAccount) throws(StoreError) -> CloudOwner {
        CloudOwner(user: account.user, device: try device.cloudID(), sealsNames: account.sealsNames)
    }

    /// Returns the account; `nil` if nobody has ever signed in here.
    package func cloudAccount() throws(StoreError) -> CloudAccount? { try database.read { try CloudAccount.fetch($0) } }

    /// Takes an account with a new session. Where it is another one, all that was known of the rows of the former is forgotten,
    /// and everything here is sent. Names that were sealed stay so.
    package func signIn(_ account: CloudAccount, token: Secret) throws(StoreError) {
        let key = try key()
        try database.write { db in
            let former = try CloudAccount.fetch(db)
            let isSame = former?.place == account.place
            if !isSame { try db.execute(sql: "DELETE FROM cloudRow") }
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO cloud (one, url, publishableKey, user, email, sealsNames, sealedToken)
                    VALUES (1, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    account.project.url.origin, account.project.key, account.user, account.email,
                    account.sealsNames || isSame && former?.sealsNames == true,
                    try key.seal(token, in: account.place).blob,
                ]
            )
        }
        watch.notifyReaders()
    }

    /// Returns the token that renews the session; `nil` if there is no session.
    ///
    /// - Throws: ``keyProblem``; `tampered` if it was sealed for another project or user.
    package func cloudToken() throws(StoreError) -> Secret? {
        let key = try key()
        return try database.read { db in
            guard let account = try CloudAccount.fetch(db),
                let sealed = try Row.fetchOne(db, sql: "SELECT sealedToken FROM cloud")?.optionalBytes("sealedToken")
            else { return nil }
            guard let token = key.open(sealed, in: account.place) else {
                throw StoreError(
                    .tampered,
                    expected: "the session of \(account.email)",
                    found: "another one. Sign in again"
                )
            }
            return token
        }
    }

    /// Replaces the token of the session: before that which came with it is used, since the former one works once.
    ///
    /// - Returns: `false` if the session has ended meanwhile, or is another one.
    package func replaceCloudToken(_ token: Secret, of account: CloudAccount) throws(StoreError) -> Bool {
        let key = try key()
        return try database.write { db in
            guard let present = try CloudAccount.fetch(db), present.isSignedIn, present.place == account.place else {
                return false
            }
            try db.execute(
                sql: "UPDATE cloud SET sealedToken = ?",
                arguments: [try key.seal(token, in: account.place).blob]
            )
            return true
        }
    }

    /// Ends the session, for a reason if it was not the user. What is here stays; by the user's will, the vault key goes with
    /// the session, in one step.
    package func endCloudSession(because reason: String? = nil) throws(StoreError) {
        try database.write { db in
            if reason == nil { try db.execute(sql: "DELETE FROM vault") }
            try db.execute(
                sql: "UPDATE cloud SET sealedToken = NULL, trouble = ?, failures = 0 WHERE sealedToken IS NOT NULL",
                arguments: [reason]
            )
        }
        watch.notifyReaders()
    }

    /// Notes how an attempt went.
    package func noteCloudAttempt(_ trouble: String?) throws(StoreError) {
        try database.write { db in
            let sql =
                trouble == nil
                ? "UPDATE cloud SET failures = 0, trouble = ? WHERE failures > 0 OR trouble IS NOT NULL"
                : "UPDATE cloud SET failures = failures + 1, trouble = ?"
            try db.execute(sql: sql, arguments: [trouble?.stored(StoreLimits.nameBytes)])
        }
    }
}

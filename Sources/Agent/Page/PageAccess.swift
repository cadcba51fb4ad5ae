internal import Discovery
internal import HostSystem
package import Reports
internal import Synchronization
internal import SystemPackage

/// The ways into the page of an ``Agent``, for as long as it is answered at a port. The sessions of pages alone outlive that:
/// see ``PageKeys``.
package final class PageAccess: Sendable {
    private struct State {
        var keys = PageKeys()
        var isWanted = false

        /// The port at which the page was answered last, by this agent or the one before.
        var formerPort: UInt16?

        /// The files that hand logins over, by these.
        var files: [String: SafeFile] = [:]
    }

    private let state = Mutex(State())

    /// The file with the sessions: in the folder of the socket, which the system empties when the host or the user's login
    /// ends.
    private let kept: SafeFile

    /// Indicates whether no other user has a connection at a port: whoever had it before the agent may still have that of a
    /// page, which would be given the proof, and send the token.
    private let isOwn: @Sendable (UInt16) -> Bool

    /// The port at which the page is answered; `nil` while it is at none.
    let port = Broadcast<UInt16?>(nil)

    init(folder: String, isOwn: @escaping @Sendable (UInt16) -> Bool = PortConnections.areOwn(at:)) {
        self.isOwn = isOwn
        kept = SafeFile(path: FilePath(folder).appending("page-sessions"))
    }

    /// Indicates whether somebody has wanted the page.
    var isWanted: Bool { state.withLock(\.isWanted) }

    /// Takes in that somebody wants it.
    func want() { state.withLock { $0.isWanted = true } }

    /// The port at which pages that are open ask; `nil` if there was none.
    package var formerPort: UInt16? { state.withLock(\.formerPort) }

    /// Takes up the sessions of the agent before: a page that is open wants the page. A file that is not as it should be is no
    /// file.
    func resume() {
        guard let bytes = try? kept.read(limit: KeptPages.limit), let pages = KeptPages(bytes) else { return }
        let keys = pages.keys(at: .now, .now)
        guard !keys.isEmpty else {
            try? kept.remove()
            return
        }
        guard isOwn(pages.port) else { return }
        state.withLock { state in
            state.keys.take(keys)
            state.formerPort = pages.port
            state.isWanted = true
        }
    }

    /// Keeps the sessions for the next agent; without any, no file stays.
    private func keep(_ state: State) {
        let keys = state.keys.keys(at: .now)
        guard let port = state.formerPort, !keys.isEmpty else {
            try? kept.remove()
            return
        }
        // Without it, a page does not go on after the agent, which is no harm.
        try? kept.write(Array(KeptPages(port: port, keys, at: .now, .now).text.utf8))
    }

    /// Takes in that it is answered at a port.
    package func begins(at port: UInt16) {
        // From now on, nobody else gets another connection there.
        let isOwn = isOwn(port)
        state.withLock { state in
            if !isOwn { state.keys.endSessions() }
            guard !isOwn || state.formerPort != port else { return }
            state.formerPort = port
            keep(state)
        }
        self.port.send(port)
    }

    /// Takes in that it is answered no more, so that no file leads to it, and no token works anywhere else.
    package func ends() {
        port.send(nil)
        let logins = state.withLock { state in
            state.keys = state.keys.renewed(at: .now)
            keep(state)
            return Array(state.files.keys)
        }
        for login in logins { removeFile(of: login) }
    }

    /// Indicates whether a browser that is led to the page reaches this agent for certain, instead of going on with a connection
    /// that it still has to whoever had the port before.
    var leadsHere: Bool { port.value.map(isOwn) ?? false }

    /// Makes a login.
    ///
    /// - Parameter link: A link that the page asks about once it is logged in; `nil` for none.
    func makeLogin(link: String? = nil) -> String { state.withLock { $0.keys.makeLogin(link: link, at: .now) } }

    /// Makes a session for whoever gives a login, whose file is removed.
    ///
    /// - Returns: `nil` if there is no such login.
    package func exchange(_ login: String) -> PageSession? {
        let made = state.withLock { state -> PageSession? in
            guard let (key, token, link) = state.keys.exchange(login.utf8, at: .now) else { return nil }
            keep(state)
            let end = Timestamp.now.advanced(by: PageKeys.sessionLifetime)
            return PageSession(token: token, key: key, port: state.formerPort, end: end, link: link)
        }
        if made != nil { removeFile(of: login) }
        return made
    }

    /// Returns the name of this run, and the proofs for pages that this agent has the keys of their sessions; `nil` while the
    /// page is not answered.
    ///
    /// - Parameter nonce: The digits that a page has made up, 64 of them.
    package func proofs(for nonce: String) -> (run: String, proofs: [String])? {
        guard PageKeys.isSecret(nonce), let port = port.value else { return nil }
        return state.withLock { ($0.keys.run, $0.keys.proofs(for: nonce, port: port, at: .now)) }
    }

    /// Indicates whether somebody has given the token of a page.
    package func hasToken(_ given: some Collection<UInt8>) -> Bool {
        state.withLock { $0.keys.hasToken(given, at: .now) }
    }

    /// Writes a file that leads a browser to the page: every user of the host could read an argument.
    ///
    /// - Returns: Its path. It is removed once the login is used, or of no use any more.
    func handOver(_ login: String, _ text: String, in folder: String) throws(SafeFileError) -> String {
        let name = String(decoding: RandomSecret.digits(bytes: 8), as: UTF8.self)
        let file = SafeFile(path: FilePath(folder).appending("page-\(name).html"))
        try file.write(Array(text.utf8))
        state.withLock { $0.files[login] = file }
        Task { [weak self] in
            try? await Task.sleep(for: PageKeys.loginLifetime)
            self?.removeFile(of: login)
        }
        return file.path.string
    }

    private func removeFile(of login: String) {
        let file = state.withLock { $0.files.removeValue(forKey: login) }
        try? file?.remove()
    }
}

/// The session of a page, as the page gets it for its login.
package struct PageSession: Hashable, Sendable {
    /// The token for this run of the agent.
    package let token: String

    /// The key, which is in no other answer and in no request.
    package let key: String

    /// The port at which the agent answers, which the page may reach by another one.
    package let port: UInt16?

    /// The time until which it lasts.
    package let end: Timestamp

    /// The link that the page was opened with, which it asks about.
    package let link: String?
}

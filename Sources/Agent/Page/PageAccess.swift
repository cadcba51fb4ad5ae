internal import Discovery
internal import HostSystem
package import Reports
internal import Synchronization
internal import SystemPackage

/// The ways into the page of an ``Agent``, for as long as it is answered at a port: nothing of them outlives that, since
/// another program may have the port then, and is given the token by the page that is still open.
package final class PageAccess: Sendable {
    private struct State {
        var keys = PageKeys()
        var isWanted = false

        /// The files that hand logins over, by these.
        var files: [String: SafeFile] = [:]
    }

    private let state = Mutex(State())

    /// The port at which the page is answered; `nil` while it is at none.
    let port = Broadcast<UInt16?>(nil)

    init() {}

    /// Indicates whether somebody has wanted the page.
    var isWanted: Bool { state.withLock(\.isWanted) }

    /// Takes in that somebody wants it.
    func want() { state.withLock { $0.isWanted = true } }

    /// Takes in that it is answered at a port.
    package func begins(at port: UInt16) { self.port.send(port) }

    /// Takes in that it is answered no more, so that no file leads to it, and no token works anywhere else.
    package func ends() {
        port.send(nil)
        let logins = state.withLock { state in
            state.keys = PageKeys()
            return Array(state.files.keys)
        }
        for login in logins { removeFile(of: login) }
    }

    /// Makes a login.
    ///
    /// - Parameter link: A link that the page asks about once it is logged in; `nil` for none.
    func makeLogin(link: String? = nil) -> String { state.withLock { $0.keys.makeLogin(link: link, at: .now) } }

    /// Makes a token for whoever gives a login, whose file is removed.
    ///
    /// - Returns: The token, the time until which it works, and the link of the login; `nil` if there is no such login.
    package func exchange(_ login: String) -> (token: String, end: Timestamp, link: String?)? {
        guard let (token, link) = state.withLock({ $0.keys.exchange(login.utf8, at: .now) }) else { return nil }
        removeFile(of: login)
        let life = Int(PageKeys.tokenLifetime.components.seconds) * 1_000
        return (token, Timestamp(milliseconds: Timestamp.now.milliseconds + life), link)
    }

    /// Indicates whether somebody has given a token.
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

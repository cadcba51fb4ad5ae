internal import Console
internal import HostSystem
internal import SystemPackage

/// The files that the agent of the system needs besides its unit: one that makes its user, and the key that opens its
/// tokens.
struct SystemAgentFiles {
    /// The file of sysusers.d(5) that makes the user.
    static let sysusers = AgentUnitFile(path: "/etc/sysusers.d/clawradar.conf")

    /// The number of random bytes of a key.
    private static let keyLength = 32

    /// Makes what is missing. A key that is there stays: without it, the tokens would be lost.
    func prepare() throws(CommandFailure) {
        _ = try Self.sysusers.content(with: AgentUnit.sysusersMark)
        try Self.sysusers.write(AgentUnit.sysusers)
        guard ServiceManagerCalls.run(["systemd-sysusers", Self.sysusers.path.string]) == 0 else {
            throw CommandFailure(
                .unavailable,
                "systemd-sysusers has not made the user \(AgentUnit.user); its messages are above."
            )
        }
        let key = SafeFile(path: FilePath(AgentUnit.keyFile))
        do throws(SafeFileError) {
            guard try key.read(limit: 4_096) == nil else { return }
            try PrivateFolder(path: key.folder).prepareWithParents()
            try key.write(RandomSecret.digits(bytes: Self.keyLength) + [UInt8(ascii: "\n")])
        } catch {
            throw CommandFailure(.unavailable, "the key of the tokens cannot be stored: \(error.description)")
        }
    }
}

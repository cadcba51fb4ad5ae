internal import GatewayClient
package import GatewayProtocol
internal import Glibc
internal import HostSystem
internal import NIOCore
internal import NIOPosix
internal import SystemPackage

/// The Unix socket by which the user who runs a gateway operates it: one request per line, and its response.
///
/// Only that user gets an answer: the file belongs to them alone, and the system reports who is at the other end.
package struct ControlSocket: Hashable, Sendable {
    private typealias Wire = NIOAsyncChannel<SessionInput, SessionOutput>

    /// The time that an exchange may take.
    private static let timeout = TimeAmount.seconds(5)

    /// The maximum length of a line, in bytes.
    private static let limit = 1_048_576

    /// The error when another user is at the other end.
    private struct Stranger: Error, CustomStringConvertible {
        let description = "another user is at the other end"
    }

    /// The path of the socket.
    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// Makes the socket of a gateway that stores its state in a file, beside that file.
    package init(state: String) {
        self.init(path: "\(state).socket")
    }

    /// Makes the socket of a gateway that stores nothing, named after the port at which it listens.
    ///
    /// - Parameter runtime: The user's folder for sockets, `$XDG_RUNTIME_DIR`; `nil` if there is none.
    package init(port: UInt16, runtime: String?) {
        let folder = runtime.map { "\($0)/clawradar" } ?? "/tmp/clawradar-\(geteuid())"
        self.init(path: "\(folder)/gateway-\(port).socket")
    }

    // MARK: Asking

    /// Sends a request to the gateway that listens there, and returns its response.
    ///
    /// - Throws: ``ReferenceGatewayError`` `noControl`.
    package func ask(_ request: GatewayRequest) async throws(ReferenceGatewayError) -> GatewayResponse {
        do {
            let (place, folder) = try checkedPlace()
            defer { try? folder?.close() }
            let wire = try await ClientBootstrap(group: try GatewayLoops.group())
                .connectTimeout(Self.timeout)
                .connect(unixDomainSocketPath: place) { channel in
                    channel.eventLoop.makeCompletedFuture { try Self.wire(channel) }
                }
            let deadline = wire.channel.eventLoop.scheduleTask(in: Self.timeout) { wire.channel.close(promise: nil) }
            defer { deadline.cancel() }
            return try await wire.executeThenClose { input, output in
                guard try await Self.peer(of: wire.channel).get() == geteuid() else { throw Stranger() }
                try await output.write(.message(GatewayFrame.request(request).encoded))
                for try await arrival in input {
                    guard case .message(let bytes) = arrival,
                        case .response(let response) = try GatewayFrame(parsing: bytes)
                    else { continue }
                    return response
                }
                throw ChannelError.eof
            }
        } catch {
            throw ReferenceGatewayError(.noControl, "no gateway of this user answers at \(path): \(Self.reason(error))")
        }
    }

    /// Returns the path by which to connect, and the open folder through which it leads. The folder that is made for sockets
    /// lies in `/tmp` where there is no other, where another user can make it first, with a link to a socket of this user's:
    /// nothing is sent there. Where a state file lies is the choice of the user.
    private func checkedPlace() throws -> (path: String, folder: SystemPackage.FileDescriptor?) {
        guard ownFolder != nil else { return (path, nil) }
        let socket = OwnSocket(path: FilePath(path))
        guard let folder = try socket.openFolder() else { throw Errno.noSuchFileOrDirectory }
        return (socket.place(in: folder), folder)
    }

    /// The folder, if it is one that is made for sockets and belongs to this user alone.
    private var ownFolder: FilePath? {
        let folder = FilePath(path).removingLastComponent()
        return folder.lastComponent?.string.hasPrefix("clawradar") == true ? folder : nil
    }

    // MARK: Answering

    /// Answers requests while a closure runs.
    ///
    /// - Throws: ``ReferenceGatewayError`` `noControl` when the socket cannot be opened, or the closure's error.
    func serve(
        _ answer: @escaping @Sendable (GatewayRequest) async -> [UInt8],
        while body: @Sendable () async throws -> Void
    ) async throws {
        let listener = try await listen(answer)
        defer { unlink(path) }
        do {
            try await body()
        } catch {
            try? await listener.close()
            throw error
        }
        try? await listener.close()
    }

    private func listen(
        _ answer: @escaping @Sendable (GatewayRequest) async -> [UInt8]
    ) async throws(ReferenceGatewayError) -> any Channel {
        do {
            if let ownFolder { try PrivateFolder(path: ownFolder).prepare() }
            if (try? await ask(GatewayRequest(id: "0", method: "devices"))) != nil {
                throw ReferenceGatewayError(.noControl, "another gateway has \(path)")
            }
            let listener = try await ServerBootstrap(group: try GatewayLoops.group())
                .childChannelInitializer { channel in
                    let deadline = channel.eventLoop.scheduleTask(in: Self.timeout) { channel.close(promise: nil) }
                    channel.closeFuture.whenComplete { _ in deadline.cancel() }
                    return Self.peer(of: channel).flatMapThrowing { user in
                        guard user == geteuid() else { throw Stranger() }
                        let handlers: [any ChannelHandler] = [LineCodec(limit: Self.limit), ControlHandler(answer)]
                        try channel.pipeline.syncOperations.addHandlers(handlers)
                    }
                }
                .bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true)
                .get()
            // Until now the permissions of its folder and the check of each peer kept others out.
            guard chmod(path, 0o600) == 0 else {
                let failure = Errno(rawValue: errno)
                try? await listener.close()
                throw failure
            }
            return listener
        } catch let error as ReferenceGatewayError {
            throw error
        } catch {
            throw ReferenceGatewayError(.noControl, "cannot listen on \(path): \(Self.reason(error))")
        }
    }

    private static func wire(_ channel: any Channel) throws -> Wire {
        try channel.pipeline.syncOperations.addHandler(LineCodec(limit: limit))
        return try Wire(wrappingChannelSynchronously: channel)
    }

    /// `struct ucred` of unix(7), which Swift's module for the C library leaves out.
    private struct Credentials: Sendable {
        let process: pid_t
        let user: uid_t
        let group: gid_t
    }

    /// Returns the user at the other end, as the system reports it.
    private static func peer(of channel: any Channel) -> EventLoopFuture<uid_t> {
        guard let socket = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
        }
        let peer: EventLoopFuture<Credentials> = socket.unsafeGetSocketOption(
            level: .socket,
            name: NIOBSDSocket.Option(rawValue: SO_PEERCRED)
        )
        return peer.map(\.user)
    }

    private static func reason(_ error: any Error) -> String {
        if case SocketAddressError.unixDomainSocketPathTooLong = error {
            return "expected a path of at most 103 bytes, as sockets have, found a longer one"
        }
        if let error = error as? SafeFileError { return "expected \(error.expected), found \(error.found)" }
        return (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
    }
}

internal import DNSSD
internal import GatewayProtocol
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// One `GET`, and its answer. Whatever the answer says, nothing follows: no redirect, no second request.
enum HTTPQuestion {
    /// Asks, within the time of the limits.
    static func reply(
        to resource: String,
        _ endpoint: Endpoint,
        transport: GatewayTransport,
        limits: ConnectionLimits
    ) async throws(GatewayConnectionError) -> HTTPReply {
        let group = MultiThreadedEventLoopGroup.singleton
        let result: Result<HTTPReply, GatewayConnectionError> = await ConnectionScope.run(
            for: limits.duration,
            on: group.any()
        ) { scope in
            let dialer = Dialer(group: group, limits: limits, scope: scope, log: StepLog())
            do throws(GatewayConnectionError) {
                return .success(try await get(resource, from: [endpoint], transport: transport, dialer: dialer))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Asks within a scope that somebody else ends.
    static func get(
        _ resource: String,
        from endpoints: [Endpoint],
        transport: GatewayTransport,
        dialer: Dialer
    ) async throws(GatewayConnectionError) -> HTTPReply {
        let limit = dialer.limits.frameBytes
        let opened = try await dialer.open(endpoints, transport: transport) { channel in
            let promise = channel.eventLoop.makePromise(of: HTTPReceiver.Reply.self)
            let receiver = HTTPReceiver(promise, limit: limit)
            try channel.pipeline.syncOperations.addHTTPClientHandlers()
            try channel.pipeline.syncOperations.addHandler(receiver)
            var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: resource)
            head.headers.add(name: "Host", value: HTTPHost.value(of: channel))
            head.headers.add(name: "Accept", value: "application/json")
            head.headers.add(name: "Connection", value: "close")
            channel.write(HTTPClientRequestPart.head(head), promise: nil)
            channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
            return promise.futureResult
        }
        do {
            let reply = try await opened.value.get()
            return HTTPReply(
                status: reply.status,
                body: reply.body,
                path: opened.path,
                firstBytes: opened.transcript.firstBytes
            )
        } catch {
            throw dialer.failure(error, opened.transcript)
        }
    }
}

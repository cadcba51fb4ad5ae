import GatewayProtocol
import PairingStore
import Testing

@testable import Connections

/// The queue of gateways' messages that wait for a reader.
@Suite(.timeLimit(.minutes(1))) struct MessageQueueTests {
    private let queue = MessageQueue()
    private let credential = CredentialID()

    private func message(_ name: String, bytes: Int = 0) -> GatewayMessage {
        let payload = JSONValue.object(["text": .string(String(repeating: "x", count: bytes))])
        return GatewayMessage(credential: credential, event: GatewayEvent(name: name, payload: payload))
    }

    /// Messages beyond the maximum number are not accepted until one is taken.
    @Test func theyAreBoundedInNumber() {
        queue.addReader()
        for number in 0..<GatewayMessages.messagesKept { #expect(queue.put(message("\(number)"))) }
        #expect(!queue.put(message("more")))
        #expect(queue.take()?.event.name == "0")
        #expect(queue.put(message("more")))
    }

    /// Messages beyond the maximum size in all are not accepted until one is taken.
    @Test func theyAreBoundedInBytes() {
        queue.addReader()
        // A message that is longer than the limit is accepted while no other one waits.
        #expect(queue.put(message("long", bytes: 1_048_576)))
        #expect(!queue.put(message("short")))
        #expect(queue.take()?.event.name == "long")
        for number in 0..<4 { #expect(queue.put(message("\(number)", bytes: 65_000))) }
        #expect(queue.put(message("last", bytes: 65_536)))
        #expect(!queue.put(message("more")))
    }

    /// Without a reader, messages are accepted and dropped, so that no gateway is slowed down.
    @Test func withoutAReaderTheyAreDropped() {
        for _ in 0..<1_000 { #expect(queue.put(message("dropped", bytes: 65_536))) }
        #expect(queue.take() == nil)
    }

    /// Of two readers that wait, each message wakes one.
    @Test func eachMessageWakesOneReader() async {
        queue.addReader()
        await withTaskGroup(of: GatewayMessage?.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    while !Task.isCancelled {
                        if let message = queue.take() { return message }
                        await queue.wait()
                    }
                    queue.wakeReader()
                    return nil
                }
            }
            // Both readers wait now; only a message may wake them.
            while queue.waitingReaders < 2 { await Task.yield() }
            for name in ["first", "second"] {
                #expect(queue.put(message(name)))
                #expect(await group.next()??.event.name == name)
            }
        }
    }

    /// Cancelled readers end without a message, and do not wait any more.
    @Test func aReaderThatGoesLeavesItsMessageToAnother() async {
        let messages = GatewayMessages(queue: queue)
        let names = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    var iterator = messages.makeAsyncIterator()
                    return await iterator.next()?.event.name
                }
            }
            while queue.waitingReaders < 2 { await Task.yield() }
            group.cancelAll()
            var names: [String?] = []
            for await name in group { names.append(name) }
            return names
        }
        #expect(names == [nil, nil])
        #expect(queue.waitingReaders == 0)
    }
}

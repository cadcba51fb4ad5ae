internal import DNSSD
internal import DNSSamples
internal import TestSupport
internal import Testing

/// Reading what can be read of a packet: one record that somebody damaged does not hide the service beside it.
@Suite struct ReceivedMessageTests {
    @Test(arguments: try DamagedPacket.all())
    func aDamagedRecordHidesNoOther(packet: DamagedPacket) throws {
        let received = try DNSReceivedMessage(decoding: packet.bytes)
        #expect(received.message.answers.map(\.type) == [.ptr])
        #expect(received.message.additionals.prefix(3).map(\.type) == [.srv, .txt, .a])
        // A record is either read whole, or counted.
        let announced = Int(packet.bytes[11])
        #expect(received.message.additionals.count + received.skipped.additionals == announced)
        #expect(received.isComplete == (received.skipped == DNSSectionCounts()))
        if !received.isComplete { #expect(throws: DNSMessageError.self) { try DNSMessage(decoding: packet.bytes) } }
    }

    /// A damaged record in the middle is passed over by its length, and reading goes on right behind it.
    @Test func recordsBehindADamagedOneAreRead() throws {
        let response = try DNSSamples.response()
        let bytes = response.encoded(compression: .none).bytes
        let name = try #require(response.answers.first?.name).wire
        // The same answer three times: the second one points to anywhere.
        let answer = Array(bytes[12..<(12 + name.count + 10 + name.count + 16)])
        var damaged = answer
        for index in (name.count + 10)..<damaged.count { damaged[index] = 0xFF }
        var packet = bytes[..<12] + answer + damaged + answer + bytes[(12 + answer.count)...]
        packet[7] = 3
        let received = try DNSReceivedMessage(decoding: Array(packet))
        #expect(received.skipped == DNSSectionCounts(answers: 1))
        #expect(!received.isCut)
        #expect(received.message.answers == response.answers + response.answers)
        #expect(received.message.additionals == response.additionals)
    }

    @Test func questionsBesideADamagedOneAreRead() throws {
        let question: [UInt8] = [1, 0x61, 0, 0, 12, 0, 1]
        let bytes = [0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0] + question + [0xC0, 0x60, 0, 12, 0, 1] + question
        let received = try DNSReceivedMessage(decoding: bytes)
        #expect(received.message.questions.map(\.name.escaped) == ["a", "a"])
        #expect(received.skipped == DNSSectionCounts(questions: 1))
    }

    /// A name that was read beyond the end of its record is no name for the records that follow: they would depend on
    /// what lies behind them.
    @Test func aNameBeyondTheEndOfItsRecordIsNoTarget() throws {
        // An SOA record with two bytes of data: its second name is read from behind its end, at the position `late`.
        var bytes: [UInt8] = [0, 0, 0x84, 0, 0, 0, 0, 3, 0, 0, 0, 0]
        bytes += [0, 0, 6, 0, 1, 0, 0, 0, 1, 0, 2, 1, 0x61]
        let next = bytes.count
        let late = next + 1
        bytes += [0, 1, 0x62, 0, 0, 1, 0, 0, 0, 0]
        #expect(late > next)
        bytes += [0xC0, UInt8(late), 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, 1, 2, 3, 4]
        let names = try? DNSReceivedMessage(decoding: bytes).message.answers.map(\.name)
        let alone = try? DNSReceivedMessage(decoding: bytes).skipped.answers
        #expect(names?.contains(try DomainName(escaped: "b")) != true || alone == 2)
    }

    @Test func bytesWithoutASingleEntryAreNoMessage() {
        #expect(throws: DNSMessageError.self) { try DNSReceivedMessage(decoding: [1, 2, 3]) }
        #expect(throws: DNSMessageError.self) { try DNSReceivedMessage(decoding: [UInt8](repeating: 0xFF, count: 300)) }
        #expect((try? DNSReceivedMessage(decoding: [UInt8](repeating: 0, count: 12)))?.isComplete == true)
    }

    /// A packet that is cut off is read as a beginning of the whole message.
    @Test func aCutPacketIsABeginning() throws {
        for packet in try DNSSamples.packets() {
            let whole = try DNSMessage(decoding: packet)
            for count in 12..<packet.count {
                guard let received = try? DNSReceivedMessage(decoding: Array(packet[..<count])) else { continue }
                let part = received.message
                #expect(received.isCut, "\(count) of \(packet.count) bytes")
                #expect(whole.questions.starts(with: part.questions))
                #expect(whole.answers.starts(with: part.answers))
                #expect(whole.authorities.starts(with: part.authorities))
                #expect(whole.additionals.starts(with: part.additionals))
            }
        }
    }

    @Test func mutatedPacketsAreReadInPartAndTheSameAsWhole() throws {
        var generator = SeededGenerator.forFuzzing("ReceivedMessage")
        let packets = try DNSSamples.packets()
        var partial = 0
        for _ in 0..<TestCases.count(20_000) {
            let packet = generator.mutatePacket(packets[Int(generator.next() % UInt64(packets.count))])
            if let complaint = DNSSamples.complaint(aboutReceived: packet) { Issue.record("\(complaint): \(packet)") }
            if (try? DNSReceivedMessage(decoding: packet))?.isComplete == false { partial += 1 }
        }
        #expect(partial > 1_000)
    }
}

import SystemPackage
import Testing

@testable import Commands

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Only a reader that has gone ends the tool quietly: results that are lost are told.
@Suite struct OutputErrorTests {
    /// As on a network file system whose server has trouble.
    @Test func aFileThatCannotBeWrittenIsNoReaderThatHasGone() {
        #expect(!OutputError(code: .ioError).isClosedByReader)
        #expect(!OutputError(code: .noSpace, isTerminal: true).isClosedByReader)
        #expect(!OutputError.notRead.isClosedByReader)
    }

    @Test func aPipeThatNobodyReadsIsAReaderThatHasGone() {
        #expect(OutputError(code: .brokenPipe).isClosedByReader)
    }

    /// It says that it is no terminal any more, too.
    @Test func aTerminalThatHasHungUpIsAReaderThatHasGone() throws {
        var (terminal, descriptor): (Int32, Int32) = (-1, -1)
        try #require(openpty(&terminal, &descriptor, nil, nil, nil) == 0)
        defer { close(descriptor) }
        close(terminal)
        let error = StandardStreams.write(Array("lost".utf8), to: descriptor)
        #expect(error == OutputError(code: .ioError, isTerminal: true))
        #expect(error?.isClosedByReader == true)
    }

    @Test func aFullDiskIsNoTerminal() throws {
        let descriptor = open("/dev/full", O_WRONLY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        #expect(StandardStreams.write(Array("lost".utf8), to: descriptor) == OutputError(code: .noSpace))
    }
}

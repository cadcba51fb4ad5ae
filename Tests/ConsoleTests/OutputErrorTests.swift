import Glibc
import SystemPackage
import Testing

@testable import Console

/// Only a reader that has gone away ends the tool without an error; in all other cases lost results are reported.
@Suite struct OutputErrorTests {
    /// An I/O error of a file is no reader that has gone away. It occurs, for example, on a network file system whose
    /// server fails.
    @Test func aFileThatCannotBeWrittenIsNoReaderThatHasGone() {
        #expect(!OutputError(code: .ioError).isClosedByReader)
        #expect(!OutputError(code: .noSpace, isTerminal: true).isClosedByReader)
        #expect(!OutputError.notRead.isClosedByReader)
    }

    @Test func aPipeThatNobodyReadsIsAReaderThatHasGone() {
        #expect(OutputError(code: .brokenPipe).isClosedByReader)
    }

    /// A terminal that has hung up is a reader that has gone away, and is recognized although isatty(3) no longer
    /// reports it as a terminal.
    @Test func aTerminalThatHasHungUpIsAReaderThatHasGone() throws {
        var (terminal, descriptor): (Int32, Int32) = (-1, -1)
        try #require(openpty(&terminal, &descriptor, nil, nil, nil) == 0)
        defer { close(descriptor) }
        close(terminal)
        let error = StandardStreams.write(Array("lost".utf8), to: descriptor)
        #expect(error == OutputError(code: .ioError, isTerminal: true))
        #expect(error?.isClosedByReader == true)
    }

    /// A full disk is reported, and is not mistaken for a terminal that has hung up.
    @Test func aFullDiskIsNoTerminal() throws {
        let descriptor = open("/dev/full", O_WRONLY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        #expect(StandardStreams.write(Array("lost".utf8), to: descriptor) == OutputError(code: .noSpace))
    }
}

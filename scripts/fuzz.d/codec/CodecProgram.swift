/// `test-tool codec` as a program of its own, which needs nothing but the codec, and has answers about zones read as well.
@main
enum CodecProgram {
    static func main() throws {
        try CodecTool.run(Array(CommandLine.arguments.dropFirst()), also: ZoneAnswerCheck.complaint)
    }
}

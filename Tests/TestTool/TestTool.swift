import Foundation

/// The programs that scripts and lab tests run, as verbs of one executable: `test-tool VERB ARGUMENTS…`.
@main
enum TestTool {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst(2))
        switch CommandLine.arguments.dropFirst().first {
        case "backend-recorder": try await BackendRecorder.run(arguments)
        case "browse-bench": try await BrowseBench.run(arguments)
        case "codec": try CodecTool.run(arguments)
        case "gateway-farm": try await GatewayFarm.run(arguments)
        case "many-browsers": try await ManyBrowsers.run(arguments)
        case "map-bench": MapBench.run(arguments)
        case "named-interface": try await NamedInterface.run(arguments)
        case "scan-recorder": try await ScanRecorder.run()
        case "session-bench": try await SessionBench.run(arguments)
        case "soak": await SoakTool.run(arguments)
        case "store": await StoreTool.run(arguments)
        case "zone-publication": try await ZonePublication.run(arguments)
        default:
            print(
                """
                usage: test-tool backend-recorder|browse-bench|codec|gateway-farm|many-browsers|map-bench|named-interface|\
                scan-recorder|session-bench|soak|store|zone-publication ARGUMENTS…
                """
            )
            exit(64)
        }
    }
}

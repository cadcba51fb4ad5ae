internal import Reports

/// The part that says when the clock of this host cannot be right, or was set while the agent ran.
enum ClockPart {
    /// The time between two looks.
    private static let interval = Duration.seconds(10)

    static let part = AgentPart("clock") { reporter in
        var watch = ClockWatch()
        while true {
            reporter.works(except: watch.look(.now, .now))
            try await Task.sleep(for: interval)
        }
    }
}

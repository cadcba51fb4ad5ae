extension Settings {
    /// Returns the names of the settings that have another value than before, as the file has them.
    func names(changedSince former: Settings) -> [String] {
        let changes = [
            ("gateways", gateways.value != former.gateways.value),
            ("advertise", advertised.value != former.advertised.value),
            ("site", site.value != former.site.value), ("notify", notify.value != former.notify.value),
            ("types", types.value != former.types.value),
            ("interfaces", interfaces.value != former.interfaces.value), ("trust", trust.value != former.trust.value),
            ("domains", domains.value != former.domains.value), ("server", server.value != former.server.value),
            ("port", port.value != former.port.value), ("page", pageNames.value != former.pageNames.value),
            ("metrics-file", metricsFile.value != former.metricsFile.value),
        ]
        let names = changes.filter(\.1).map(\.0)
        // The same values may come from another place.
        return names.isEmpty ? ["the same values"] : names
    }
}

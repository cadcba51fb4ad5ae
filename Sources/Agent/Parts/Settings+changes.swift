extension Settings {
    /// Returns the names of the settings that have another value than before, as the file has them.
    func names(changedSince former: Settings) -> [String] {
        let changes = [
            ("gateways", gateways.value != former.gateways.value), ("types", types.value != former.types.value),
            ("interfaces", interfaces.value != former.interfaces.value),
            ("domains", domains.value != former.domains.value), ("server", server.value != former.server.value),
            (
                "advertise",
                advertised.value != former.advertised.value || advertisesFound.value != former.advertisesFound.value
            ),
            ("site", site.value != former.site.value), ("notify", notify.value != former.notify.value),
            ("trust", trust.value != former.trust.value), ("port", port.value != former.port.value),
            ("page", pageNames.value != former.pageNames.value),
            ("metrics-file", metricsFile.value != former.metricsFile.value),
            ("this-host", thisHost.value != former.thisHost.value), ("tailnet", tailnet.value != former.tailnet.value),
        ]
        let names = changes.filter(\.1).map(\.0)
        // The same values may come from another place.
        return names.isEmpty ? ["the same values"] : names
    }
}

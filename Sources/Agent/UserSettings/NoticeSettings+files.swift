internal import Glibc

extension NoticeSettings {
    /// The programs and files of sinks that are not there, or not for this user, each as a sentence for people.
    package var missingFiles: [String] {
        sinks.flatMap { sink -> [String] in
            let files: [(key: String, path: String?, mode: Int32)] =
                switch sink.channel {
                case .exec(let command): [("exec", command.first, X_OK)]
                case .webhook(let webhook):
                    [
                        ("webhook-file", webhook.file, R_OK), ("token-file", webhook.tokenFile, R_OK),
                        ("ca-file", webhook.caFile, R_OK),
                    ]
                case .desktop, .mail: []
                }
            return files.compactMap { file in
                guard let path = file.path, access(path, file.mode) != 0 else { return nil }
                let found = errno == ENOENT || errno == ENOTDIR ? "found none" : "found one that this user may not use"
                return "sink \(sink.name), \(file.key): expected the file \(path), \(found)"
            }
        }
    }
}

extension Webhook {
    /// The path of the file with its address, if that is in one.
    fileprivate var file: String? { if case .file(let path) = place { path } else { nil } }
}

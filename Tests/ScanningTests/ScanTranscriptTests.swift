import TestSupport
import Testing

/// A protection of the whole behaviour of ``ScanState`` against changes that are only meant to move code, to rename
/// something, or to make it faster: the questions to endpoints, their times, and the events for the map.
@Suite struct ScanTranscriptTests {
    /// The digests of the transcripts of random sequences of events, by their seeds, as they were when the behaviour
    /// was last changed on purpose.
    private static let digests: [(seed: UInt64, digest: UInt64)] = [
        (0, 0x7A51_105A_C446_549D),
        (1, 0x817C_C545_0960_55FA),
        (2, 0x885C_8840_0E11_C3CD),
        (3, 0x92B3_53ED_8D7B_0B6D),
        (4, 0x7A2E_AAEC_A627_33A3),
        (5, 0xDAAE_B3BB_F868_FA1D),
        (6, 0xED3D_4D15_6368_2F37),
        (7, 0xD2A5_DB07_3C88_96B6),
        (8, 0xA852_E0FD_5536_8F41),
        (9, 0x7EB3_65DF_7E2C_F539),
        (10, 0x82F5_8565_0B5B_F330),
        (11, 0xE48A_FE91_6E33_FEDF),
        (12, 0x66C7_20C4_7E72_0466),
        (13, 0xE2B5_8CA9_0EAE_65B8),
        (14, 0xBFB8_D51F_25BB_F894),
        (15, 0x41FA_9798_2BEF_81A8),
        (16, 0x6E67_9A79_451E_24B0),
        (17, 0xB509_3532_DB3C_1D05),
        (18, 0x74BD_53E9_ADE2_A1EB),
        (19, 0x22DD_B848_FD22_BB0C),
        (20, 0x46C9_2AFC_2687_E195),
        (21, 0x8A6E_D1D4_F3D5_849F),
        (22, 0x54BF_9185_C931_CA11),
        (23, 0xF465_54CB_8810_F1C6),
    ]

    @Test func theScannerDoesWhatItDid() {
        let differences = CourseTranscript.differences(from: Self.digests, name: "scan") {
            ScanTranscript(seed: $0).transcript
        }
        #expect(differences.isEmpty)
    }
}

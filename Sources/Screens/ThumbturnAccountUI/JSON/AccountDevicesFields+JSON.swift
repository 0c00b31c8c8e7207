import ThumbturnAccount
package import ThumbturnJSON
package import ThumbturnRules
import ThumbturnScreenJSON

extension AccountDevicesFields {
    /// Every field of the screen, its words, and what it offers.
    package func json(in language: Language) -> JSON {
        .sorted(
            face(in: language).members(in: language) + [
                ("devices", .array(devices.map { $0.json(in: language, isListed: isListed) })),
                ("error", error?.json ?? .null),
                ("isBusy", .bool(isBusy)),
                ("revocation", revocation?.json(in: language) ?? .null),
                ("revoked", revoked?.json(in: language) ?? .null),
                ("step", .string(step.name)),
                ("wait", wait?.json ?? .null),
            ]
        )
    }

    /// Whether the list is on the screen.
    private var isListed: Bool { step == .list && !isBusy }

    /// The device that is about to be revoked.
    private var revocation: AccountVault.ListedDevice? {
        if case .revocation(let device) = step { device } else { nil }
    }

    private func face(in language: Language) -> ScreenFace {
        AccountFace.face(.accountDevices, wait: wait, isBusy: isBusy, in: language) { page in
            if let revoked { page.say(.revoked, revoked.title) }
            switch step {
            case .password:
                page.say(.showDevices)
                page.ask(for: .enterPassword, .devices(.submitSecret))
            case .list: break
            case .revocation(let device):
                page.say(.revokeQuestion, device.title)
                page.say(.revokeWarning)
                page.ask(for: .enterPassword, .devices(.submitSecret))
                page.offer(.devices(.back), .cancel)
            }
        }
    }
}

extension AccountVault.ListedDevice {
    /// What is known of a device, and what a list says and offers of it.
    ///
    /// - Parameter isListed: whether it is in a list on the screen, from where it can be revoked.
    fileprivate func json(in language: Language, isListed: Bool = false) -> JSON {
        var face = ScreenFace(title: Words(title))
        if name == nil { face.texts.append(Words.unnamedDevice.in(language)) }
        face.texts.append(day.map { Words.listedSince.in(language, $0) } ?? Words.notListed.in(language))
        if isThis {
            face.texts.append(Words.thisDevice.in(language))
        } else if isListed {
            face.offer(.devices(.askToRevoke(device: id)), .revoke)
        }
        return .sorted(
            face.members(in: language) + [
                ("createdAt", createdAt.map { .integer($0.count) } ?? .null), ("id", .string(id)),
                ("isThis", .bool(isThis)), ("name", JSON(name)),
            ]
        )
    }
}

extension AccountDevicesFields.Step {
    var name: String {
        switch self {
        case .password: "password"
        case .list: "list"
        case .revocation: "revocation"
        }
    }
}

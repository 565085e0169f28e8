// Logs in, opens one room and shows it as people see it. Where and as whom stands in the address of the page.
import olmJs from "@matrix-org/olm/olm.js?url";
import olmWasm from "@matrix-org/olm/olm.wasm?url";
import olmLegacy from "@matrix-org/olm/olm_legacy.js?url";
import {
    Client,
    createNavigation,
    createRouter,
    FeatureSet,
    LoadStatus,
    Platform,
    RoomView,
    RoomViewModel,
    viewClassForTile,
} from "hydrogen-view-sdk";
import sandbox from "hydrogen-view-sdk/download-sandbox.html?url";
import worker from "hydrogen-view-sdk/main.js?url";
import "hydrogen-view-sdk/theme-element-light.css";

const assetPaths = {
    downloadSandbox: sandbox,
    worker,
    olm: { wasm: olmWasm, legacyBundle: olmLegacy, wasmBundle: olmJs },
    serviceWorker: "sw.js",
};
const ENDS = new Set([LoadStatus.Ready, LoadStatus.Error, LoadStatus.LoginFailed]);

const wanted = new URLSearchParams(location.search);
const container = document.querySelector("#app");
const platform = new Platform({ container, assetPaths, config: {}, options: { development: false } });
const navigation = createNavigation();
platform.setNavigation(navigation);
await platform.init();
const urlRouter = createRouter({ navigation, history: platform.history });
urlRouter.attach();

const client = new Client(platform);
const login = await client.queryLogin(wanted.get("homeserver")).result;
client.startWithLogin(login.password(wanted.get("user"), wanted.get("password")));
await client.loadStatus.waitFor((status) => ENDS.has(status)).promise;
if (!client.session) throw new Error(`no session: ${client.loginFailure ?? client.loadError}`);

const { session } = client;
const room = session.rooms.get(wanted.get("room"));
if (!room) throw new Error(`${session.userId} is not in the room`);
const features = await FeatureSet.load(platform.settingsStorage);
const model = new RoomViewModel({ room, ownUserId: session.userId, platform, urlRouter, navigation, features });
await model.load();
container.append(new RoomView(model, viewClassForTile).mount());

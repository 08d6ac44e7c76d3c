import { launchBrowser } from "./scripts/lib/browser.mjs";
import { fresh, O, PASSWORD, text } from "/tmp/walk/lib.mjs";
const tag=Date.now().toString(36);const email=`kim@k${tag}.example`;const c=await fresh(email,"Fifty Walk "+tag);
const WORDS=["Acacia","Banksia","Correa","Dianella","Eremophila","Flannel","Grevillea","Hakea","Isopogon","Jacaranda","Kangaroo","Lomandra","Melaleuca","Nardoo","Olearia","Pimelea","Quandong","Rice","Saltbush","Teatree","Urtica","Veronica","Waratah","Xanthor","Yakka","Zieria","Boronia","Callistem","Dampiera","Emubush","Fern","Goodenia","Hibbertia","Indigofera","Kunzea","Leucopogon","Mint","Native","Orchid","Patersonia","Rhagodia","Scaevola","Thryptom","Utricular","Viola","Wattle","Westringia","Yellow","Zygochloa","Azolla"];
const TR=["Plumbing","Roofing","Catering","Tiling","Joinery","Printing","Freight"];
const planted=new Map();
const add=async(name,n,more={})=>{const r=await c.post("/api/payees",{name,accountName:name+" Pty Ltd",bsb:"062-000",accountNumber:n,email:`pay@${name.toLowerCase().replace(/\W/g,"")}.example`,...more});if(r.status!==201){console.log("ADD",name,r.status,JSON.stringify(r.body).slice(0,200));return null}return r.body};
const old=await add("Cassowary Cleaning","31111100");await new Promise(r=>setTimeout(r,1500));await c.post(`/api/verifications/${old.verification.id}/review`,{approved:true,addToGlobalWhitelist:false});await c.patch(`/api/payees/${old.payee.id}`,{accountNumber:"32222100"});
for(let i=0;i<50;i++){let name=`${WORDS[i]} ${TR[i%7]}`,n=String(40_000_000+i*7717).slice(0,5)+String(100+i),kind="ok";
 if(i%10===3){n=n.slice(0,5)+"903";kind="no_match"}
 if(i%10===7){n=n.slice(0,5)+"901";kind="close"}
 if(i===25){n="31111100";kind="former"}
 if(i===36){kind="paired"}
 const r=await add(name,n);if(!r)continue;planted.set(r.verification.id,{kind,name,payee:r.payee.id});
 if(kind==="paired"){await new Promise(r=>setTimeout(r,1500));await c.post(`/api/verifications/${r.verification.id}/review`,{approved:true,addToGlobalWhitelist:false});planted.delete(r.verification.id);await c.patch(`/api/payees/${r.payee.id}`,{email:"new@gmail.example"});const e=await c.patch(`/api/payees/${r.payee.id}`,{accountNumber:"45454100"});const g=(await c.get(`/api/payees/${r.payee.id}`)).body;planted.set(g.latestVerification.id,{kind:"paired",name,payee:r.payee.id})}
}
await new Promise(r=>setTimeout(r,4000));
for(const [id,x] of planted){const v=(await c.get(`/api/verifications/${id}`)).body;x.tone=v.verdict?.tone;x.word=v.verdict?.word;x.flags=v.flags;x.status=v.status}
const kinds={};for(const x of planted.values()){const k=`${x.kind}/${x.word}/${x.tone}/${x.status}`;kinds[k]=(kinds[k]??0)+1}console.log(kinds);
const b=await launchBrowser();const ctx=await b.newContext({baseURL:O,viewport:{width:1280,height:900}});
await ctx.addCookies([...c.jar].map(([name,value])=>({name,value,url:O})));
const page=await ctx.newPage();const trouble=[];page.on("pageerror",e=>trouble.push(String(e)));page.on("console",m=>{if(m.type()==="error")trouble.push(m.text())});
await page.goto("/profile/reviewing");await page.getByLabel("Use single keys").check();await page.getByLabel("Go on to the next verification after a decision").check();await page.getByRole("button",{name:"Save"}).click();await page.getByText("Choices saved").waitFor();
await page.goto("/verifications/pending?order=oldest");await page.getByRole("link",{name:/^Review /}).first().click();await page.waitForURL(/verifications\/[0-9a-f-]{36}/);await page.locator("#review-keys-title").waitFor({state:"attached"});
const field=async()=>page.evaluate(()=>[...document.querySelectorAll("main textarea, main input:not([type=hidden])")].map(f=>[f.name||f.id,f.type==="checkbox"?f.checked:f.value]).filter(([,v])=>v&&v!=="on"));
const DEF=/Manual rejection/;let lefts=[],oneKeyRed=[],n=0,keys=0,rOne=[],wrong=[];const seen=new Set();
const key=async k=>{keys++;await page.keyboard.press(k)};
for(let i=0;i<70&&n<60;i++){
 const id=new URL(page.url()).pathname.split("/").pop();if(!planted.has(id)){if(/pending|verifications$/.test(page.url()))break;console.log("elsewhere",page.url());break}
 if(seen.has(id)){console.log("seen twice",id);break}seen.add(id);
 await page.getByRole("heading",{level:1,name:planted.get(id).name}).waitFor();
 const x=planted.get(id);const fs=(await field()).filter(([k,v])=>!(DEF.test(v)));if(fs.length)lefts.push([x.name,fs]);
 // trap: R once
 if(i%9===4){await key("r");await page.waitForTimeout(150);const st=(await c.get(`/api/verifications/${id}`)).body.status;if(st!=="pending")rOne.push(x.name);await page.keyboard.type("left over reject reason "+i);await page.keyboard.press("Escape");await page.evaluate(()=>document.activeElement?.blur());}
 if(i%7===2){await page.getByLabel("Also add to the global whitelist").check().catch(()=>{})}
 const before=page.url();
 await key("a");await page.waitForTimeout(250);
 let focus=await page.evaluate(()=>document.activeElement?.id);
 const st=(await c.get(`/api/verifications/${id}`)).body.status;
 if(st==="verified"&&x.tone==="review")oneKeyRed.push(x.name);
 if(st==="pending"&&focus==="approve-reason"){
   if(x.tone==="review"){// reject it properly
     const v0=await page.locator("#approve-reason").inputValue();if(v0)lefts.push([x.name,"approve-reason",v0]);
     await page.keyboard.type("typed for "+x.name);await page.keyboard.press("Escape");await page.evaluate(()=>document.activeElement?.blur());await key("a");await page.waitForTimeout(200);
     const s2=(await c.get(`/api/verifications/${id}`)).body.status;if(s2!=="pending")oneKeyRed.push([x.name,"second a"]);
     await page.evaluate(()=>document.activeElement?.blur());await key("r");await page.waitForTimeout(100);await key("Control+Enter");
   }else{await page.keyboard.type("Called "+x.name);await key("Control+Enter");}
 }
 n++;
 await page.waitForURL(u=>u.href!==before,{timeout:8000}).catch(()=>{});
}
console.log({n,keys,lefts,oneKeyRed,rOne,trouble:trouble.slice(0,5),end:page.url()});
const tally={};for(const[id,x]of planted){const v=(await c.get(`/api/verifications/${id}`)).body;const k=`${x.kind}=>${v.status}`;tally[k]=(tally[k]??0)+1;if(v.status==="rejected"&&v.rejectedReason!=="Manual rejection"&&!new RegExp(x.name).test(v.rejectedReason??""))wrong.push([x.name,v.rejectedReason]);const d=v.timeline.filter(t=>/approved|rejected/.test(t.action)).map(t=>t.details?.reason);for(const r of d)if(r&&/typed for|Called|left over/.test(r)&&!r.includes(x.name))wrong.push([x.name,r])}
console.log(tally,"wrong reasons",wrong);
await b.close();

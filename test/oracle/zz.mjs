import { inferTypes, irModule, func, variable, constant, tuple, call, opRef, tensorType } from '@baton/ir';
import { exportOnnx } from '@baton/onnx'; import { evaluate } from '@baton/executor';
import { examplesColumn, standardOps } from '@baton/ops';
import { isTensor, tensor, fromNumbers, cast } from '@baton/tensor';
import { onnxWriters } from '../../packages/onnx/dist/catalogue.js';
import fs from 'fs';
import { InferenceSession, Tensor } from 'onnxruntime-node';
const DT=['bool','int8','uint8','int16','uint16','int32','uint32','int64','uint64','float16','bfloat16','float32','float64'];
const SETS=process.argv[2].split(',').map(x=>x==='d'?undefined:+x); const OUT=process.argv[3]; fs.rmSync(OUT,{recursive:true,force:true}); fs.mkdirSync(OUT,{recursive:true});
const only=process.argv[4];
let pairs=new Map();
const stat={pairs:0,written:0,refused:0,ran:0,notimpl:0};
let bad=0; const refusals={};
function rnd(seed){let s=seed;return()=>{s=(s*1103515245+12345)&0x7fffffff;return s/0x7fffffff}}
for (const name of onnxWriters.keys()) {
  if (only && name!==only) continue;
  const ex = standardOps.read(examplesColumn, name) ?? [];
  const info = standardOps.get(name); if(!info) continue;
  for (const [ei,e] of ex.entries()) {
    const types=[]; const walk=a=>Array.isArray(a)?a.forEach(walk):isTensor(a)?0:types.push(a); e.args.forEach(walk);
    const D=types[0]?.dtype ?? (e.attrs?.dtype);
    if(!types.length) continue;
    for (const T of DT) {
      const params=[],vals=[]; const r=rnd(7);
      const conv=a=>{ if(Array.isArray(a)) return tuple(a.map(conv)); if(isTensor(a)) return constant(a.dtype===D&&D.startsWith('float')?cast(a,T):a);
        const dt=a.dtype===D?T:a.dtype; const p=variable('p'+params.length,tensorType(a.shape,dt)); params.push(p);
        const n=a.shape.reduce((x,y)=>x*y,1); const v=Float64Array.from({length:n},()=>dt==='bool'?Math.round(r()):dt.includes('float')?Math.round((r()+.5)*64)/64:Math.floor(3*r()));
        let t=fromNumbers(v,a.shape,dt); if(name==='searchsorted'&&vals.length===0) t={...t,data:t.data.slice().sort()}; vals.push(t); return p; };
      let m;
      try {
        const at=info.attrs.decode(e.attrs??{}); if(at._tag==='Left') continue;
        const body=call(opRef(name), e.args.map(conv), {attrs:at.right});
        m=irModule({ops:standardOps,functions:new Map([['main',func(params,body)]])});
      } catch(err){ continue; }
      const t=inferTypes(m); if(t._tag==='Left') continue;
      const want=evaluate(m,vals); if(want._tag==='Left') continue;
      stat.pairs++; pairs.set(name+' '+T,1);
      for (const opset of SETS) {
        let f; try{ f=exportOnnx(m,opset?{opset}:{}); }catch(err){ console.log('THROW',name,T,opset,err.message); bad++; continue; }
        if(f._tag==='Left'){ stat.refused++; const k=f.left.map(d=>d.message).join('; '); (refusals[k]??=new Set()).add(`${name} ${T} @${opset??'d'}`); continue; }
        stat.written++;
        const file=`${OUT}/${name}-${ei}-${T}-${opset??'d'}.onnx`; fs.writeFileSync(file,f.right);
        try {
          const s=await InferenceSession.create(f.right,{graphOptimizationLevel:'disabled',logSeverityLevel:4,intraOpNumThreads:1});
          const feeds={}; s.inputNames.forEach((n)=>{const i=+n.slice(1); feeds[n]=new Tensor(vals[i].dtype,vals[i].data,vals[i].shape)});
          const out=await s.run(feeds); await s.release(); stat.ran++;
          const flat=v=>v._tag==='Tuple'?v.fields.flatMap(flat):[v]; const w=flat(want.right);
          s.outputNames.forEach((n,i)=>{ const a=out[n], b=w[i]; 
            if(a.type!==b.dtype|| String(a.dims)!==String(b.shape)) { console.log('TYPE',name,T,opset,a.type,a.dims,b.dtype,b.shape); bad++; return; }
            const tol=/16/.test(b.dtype)?0.01:1e-4;
            const num=x=>Number(x); const A=cast(tensor(a.data,b.shape,b.dtype),'float64').data,B=cast(b,'float64').data;
            for(let k=0;k<B.length;k++) if(!(A[k]===B[k]||(A[k]!==A[k]&&B[k]!==B[k])||Math.abs(A[k]-B[k])<=tol*(1+Math.abs(B[k])))) { console.log('VALUE',name,ei,T,opset,'out',i,'at',k,A[k],'want',B[k]); bad++; break; } });
        } catch(err){ const msg=String(err.message); if(/NOT_IMPLEMENTED|Could not find an implementation|not supported|Unsupported|bfloat16|is not a type/i.test(msg)) stat.notimpl++; else {console.log("ORT",name,ei,T,opset,msg.slice(0,200),err.stack.split("\n")[1]); bad++;} }
      }
    }
  }
}
console.log(stat,'pairs',pairs.size,'bad',bad);
for(const [k,v] of Object.entries(refusals)) console.log('REFUSED',v.size,k.slice(0,160),[...v].slice(0,6).join(' | '));

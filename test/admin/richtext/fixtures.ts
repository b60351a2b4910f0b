// What Word, Google Docs and a hostile page put onto the clipboard as HTML, as far as it matters here.

export const WORD = `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word">
<head><meta charset="utf-8"><meta name=Generator content="Microsoft Word 15">
<style><!-- p.MsoNormal {margin:0cm; font-size:11.0pt; font-family:"Calibri",sans-serif;} --></style></head>
<body lang=EN-GB style='tab-interval:36.0pt'><!--StartFragment-->
<h1 style='margin-top:12pt'><span lang=EN-GB>The report<o:p></o:p></span></h1>
<p class=MsoNormal style='margin:0cm'><span style='font-size:11pt;color:#1F1F1F'>Some <b style='mso-bidi-font-weight:normal'>bold</b> and <i>italic</i> words<span style='mso-spacerun:yes'>  </span>with <a href="https://example.com/a" style='color:blue'>a link</a>.<o:p></o:p></span></p>
<p class=MsoListParagraphCxSpFirst style='margin-left:36pt;text-indent:-18pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>First point</p>
<p class=MsoListParagraphCxSpMiddle style='margin-left:72pt;text-indent:-18pt;mso-list:l0 level2 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>o<span style='font:7.0pt "Times New Roman"'>&nbsp; </span></span><![endif]>Inner point</p>
<p class=MsoListParagraphCxSpLast style='margin-left:36pt;text-indent:-18pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp; </span></span><![endif]>Second point</p>
<p class=MsoNormal>Between</p>
<p class=MsoListParagraph style='mso-list:l1 level1 lfo2'><span style='mso-list:Ignore'>1.<span style='font:7.0pt'>&nbsp; </span></span>Numbered</p>
<table class=MsoTableGrid border=1 style='border-collapse:collapse'><tr><td width=100 style='width:75pt'><p class=MsoNormal>A</p></td><td><p class=MsoNormal>B</p></td></tr><tr><td><p class=MsoNormal>1</p></td><td><p class=MsoNormal>2</p></td></tr></table>
<!--EndFragment--></body></html>`;

export const GOOGLE_DOCS = `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1a2b"><h2 dir="ltr" style="line-height:1.38"><span style="font-size:16pt;font-weight:400;">The plan</span></h2><p dir="ltr"><span style="font-weight:400;">Plain, </span><span style="font-weight:700;">bold</span><span style="font-weight:400;">, </span><span style="font-weight:400;font-style:italic;">italic</span><span style="font-weight:400;"> and </span><a href="https://example.com/b" style="text-decoration:none;"><span style="color:#1155cc;text-decoration:underline;">a link</span></a><span>.</span></p><ul style="margin-top:0;"><li dir="ltr" style="list-style-type:disc;" aria-level="1"><p dir="ltr" role="presentation"><span>One</span></p></li><ul><li dir="ltr" aria-level="2"><p dir="ltr" role="presentation"><span>Inner</span></p></li></ul><li dir="ltr"><p dir="ltr" role="presentation"><span>Two</span></p></li></ul><br class="Apple-interchange-newline"></b>`;

export const HOSTILE = `<p onclick="hurt()" style="background:url(https://evil.example/x)">Harmless <b onmouseover="hurt()">words</b></p>
<img src="x" onerror="hurt()"><img src="https://evil.example/pixel.png"><svg onload="hurt()"><script>hurt()</script></svg>
<script>hurt()</script><iframe srcdoc="<script>parent.hurt()</script>"></iframe><style>@import url(https://evil.example/a.css)</style>
<a href="java&#10;script:hurt()">a trap</a><a href="data:text/html,<script>hurt()</script>">another</a>
<object data="x"></object><form action="https://evil.example"><input name="a" autofocus onfocus="hurt()"><button>x</button></form>
<math><mtext><table><mglyph><style><img src onerror="hurt()"></style></mglyph></table></mtext></math>
<template><img src=x onerror="hurt()"></template><noscript><p title="</noscript><img src=x onerror=hurt()>"></noscript>
<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example"><link rel="stylesheet" href="https://evil.example/a.css">`;

function out(text) {
  document.getElementById('out').textContent = text;
}
function later() {
  var from = Date.now();
  setTimeout(function () { out('after ' + (Date.now() - from)); }, 250);
}
function given() {
  var request = new XMLHttpRequest();
  request.onload = function () { out(request.responseText); };
  request.open('GET', 'given.txt');
  request.send();
}
window.addEventListener('load', function () {
  var list = document.getElementById('list');
  if (list) {
    list.addEventListener('click', function (e) { out(e.target.textContent); });
  }
});
